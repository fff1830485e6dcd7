/** Colours of the page for drawing on a canvas, and the switch between light and dark. Runs in the reader's browser. */

/** Themes in the order in which the switch selects them. "auto" follows the setting of the reader's system. */
const themes = ['auto', 'dark', 'light'] as const;

const probe = document.createElement('span');
probe.hidden = true;
document.body.append(probe);

/** Returns the value of a CSS variable of style.css as a colour that a canvas can use. */
export function colour(name: string): string {
  probe.style.color = `var(${name})`;
  return getComputedStyle(probe).color;
}

export const colourOf = (index: number) => colour(`--c${index}`);
export const withAlpha = (of: string, alpha: number) =>
  `color-mix(in srgb, ${of} ${Math.round(alpha * 100)}%, transparent)`;

const waitingForTheme = new Set<() => void>();

/** Registers a function that is called once, at the next change of the colours. */
export function onThemeChange(redraw: () => void): void {
  waitingForTheme.add(redraw);
}

function themeChanged(): void {
  const redraws = [...waitingForTheme];
  waitingForTheme.clear();
  for (const redraw of redraws) redraw();
}

export function installThemeSwitch(): void {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', themeChanged);
  const button = document.querySelector<HTMLButtonElement>('#theme')!;
  let theme = 0;
  const show = () => {
    button.textContent = `Colours: ${themes[theme]}`;
    document.documentElement.dataset['theme'] = themes[theme]!;
  };
  button.addEventListener('click', () => {
    theme = (theme + 1) % themes.length;
    show();
    themeChanged();
  });
  // printed pages always have the light theme, because paper is white
  const printed = (prints: boolean) => () => {
    document.documentElement.dataset['theme'] = prints ? 'light' : themes[theme]!;
    themeChanged();
  };
  addEventListener('beforeprint', printed(true));
  addEventListener('afterprint', printed(false));
  button.hidden = false;
  show();
}
