/** What every user of FFmpeg (node-av) here needs: result codes into errors, and one filter graph reader. */
import * as av from 'node-av/lib';
import { CoexistError, type ErrorCode } from '../../core/errors.ts';

/** Throws when FFmpeg's result is an error; `what` is the thing that failed. Returns the result otherwise. */
export function orThrow(result: number, what: string, code: ErrorCode): number {
  if (result >= 0) return result;
  throw new CoexistError(code, `${what}: ${new av.FFmpegError(result).message}`);
}

/** A new, empty frame. */
export function emptyFrame(): av.Frame {
  const frame = new av.Frame();
  frame.alloc();
  return frame;
}

/** The end of a filter graph: opens it for reading. `description` must leave one open output. */
export class FilterSource {
  readonly #graph = new av.FilterGraph();
  readonly #sink: av.FilterContext;
  readonly #inputs: av.FilterContext | undefined;

  private constructor(description: string, bufferArgs: string | undefined) {
    this.#graph.alloc();
    this.#sink = this.#create('buffersink', 'sink', null);
    const output = openEnd('sink', this.#sink);
    let input: av.FilterInOut | null = null;
    if (bufferArgs !== undefined) {
      this.#inputs = this.#create('buffer', 'source', bufferArgs);
      input = openEnd('source', this.#inputs);
    }
    // for the parser, our sink is where its output goes, and our source is where its input comes from
    orThrow(
      this.#graph.parsePtr(`${input === null ? '' : '[source]'}${description}[sink]`, output, input),
      `filter graph "${description}"`,
      'bad-clip',
    );
  }

  /** `bufferArgs` describes the frames fed in; without it the graph makes frames itself. */
  static async open(description: string, bufferArgs?: string): Promise<FilterSource> {
    const source = new FilterSource(description, bufferArgs);
    orThrow(await source.#graph.config(), `filter graph "${description}"`, 'bad-clip');
    return source;
  }

  /** Feeds a frame, which is empty afterwards; null ends the stream. */
  async push(frame: av.Frame | null): Promise<void> {
    if (this.#inputs === undefined) throw new Error('this filter graph takes no frames');
    orThrow(await this.#inputs.buffersrcAddFrame(frame), 'filter graph', 'bad-clip');
  }

  /** The next frame, or undefined when there is none now. The caller frees it. */
  async pull(): Promise<av.Frame | undefined> {
    const frame = emptyFrame();
    if ((await this.#sink.buffersinkGetFrame(frame)) >= 0) return frame;
    frame.free();
    return undefined;
  }

  close(): void {
    this.#graph.free();
  }

  #create(filter: string, name: string, args: string | null): av.FilterContext {
    const kind = av.Filter.getByName(filter);
    const context = kind === null ? null : this.#graph.createFilter(kind, name, args);
    if (context === null)
      throw new CoexistError(
        'bad-clip',
        `FFmpeg could not make the filter "${filter}"${args === null ? '' : ` for ${args}`}`,
      );
    return context;
  }
}

function openEnd(name: string, context: av.FilterContext): av.FilterInOut {
  const end = new av.FilterInOut();
  end.alloc();
  end.name = name;
  end.filterCtx = context;
  end.padIdx = 0;
  return end;
}
