/**
 * Controls of the demonstration: a row of buttons for each setting. The selected button shows the harness's state, so
 * it changes only when the harness has made the change.
 */
import type { Control, ControlMessage } from './wire.ts';

type Row = { fieldset: HTMLFieldSetElement; offered: string };

export class Panel {
  readonly #form: HTMLElement;
  readonly #onChoice: (message: ControlMessage) => void;
  readonly #rows = new Map<string, Row>();

  constructor(form: HTMLElement, onChoice: (message: ControlMessage) => void) {
    this.#form = form;
    this.#onChoice = onChoice;
  }

  show(controls: readonly Control[], changing: boolean): void {
    this.#form.classList.toggle('changing', changing);
    for (const control of controls) {
      const offered = JSON.stringify(control.choices);
      let row = this.#rows.get(control.setting);
      if (row?.offered !== offered) {
        const fieldset = this.#draw(control);
        if (row === undefined) this.#form.append(fieldset);
        else row.fieldset.replaceWith(fieldset);
        row = { fieldset, offered };
        this.#rows.set(control.setting, row);
      }
      for (const input of row.fieldset.querySelectorAll('input')) input.checked = input.value === control.chosen;
    }
  }

  #draw({ setting, title, choices }: Control): HTMLFieldSetElement {
    const fieldset = document.createElement('fieldset');
    const row = Object.assign(document.createElement('div'), { className: 'choices' });
    fieldset.append(Object.assign(document.createElement('legend'), { textContent: title }), row);
    for (const { value, label, obstacle } of choices) {
      const element = document.createElement('label');
      const input = Object.assign(document.createElement('input'), {
        type: 'radio',
        name: setting,
        value,
        disabled: obstacle !== null,
      });
      if (obstacle !== null) element.title = obstacle;
      input.addEventListener('change', () => this.#onChoice({ type: 'set', setting, value }));
      element.append(input, Object.assign(document.createElement('span'), { textContent: label }));
      row.append(element);
    }
    return fieldset;
  }
}
