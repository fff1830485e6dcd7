/** Helpers for FFmpeg (node-av): turn result codes into errors, make empty frames, read filter graphs. */
import * as av from 'node-av/lib';
import { CoexistError, type ErrorCode } from '../../core/errors.ts';

/**
 * Returns the result of an FFmpeg call. Throws `code` if the result is an error code; `what` names the operation in the
 * message.
 */
export function orThrow(result: number, what: string, code: ErrorCode): number {
  if (result >= 0) return result;
  throw new CoexistError(code, `${what}: ${new av.FFmpegError(result).message}`);
}

export function emptyFrame(): av.Frame {
  const frame = new av.Frame();
  frame.alloc();
  return frame;
}

/** Reads the output of a filter graph. `description`: the graph in FFmpeg's syntax, with one output left open. */
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
    // In the view of FFmpeg's parser, our sink is the open output of the graph and our source is its open input.
    orThrow(
      this.#graph.parsePtr(`${input === null ? '' : '[source]'}${description}[sink]`, output, input),
      `filter graph "${description}"`,
      'bad-clip',
    );
  }

  /** Opens a filter graph. `bufferArgs`: format of the input frames; undefined if the graph generates the frames. */
  static async open(description: string, bufferArgs?: string): Promise<FilterSource> {
    const source = new FilterSource(description, bufferArgs);
    orThrow(await source.#graph.config(), `filter graph "${description}"`, 'bad-clip');
    return source;
  }

  /** Feeds a frame to the graph; the frame is empty afterwards. null ends the stream. */
  async push(frame: av.Frame | null): Promise<void> {
    if (this.#inputs === undefined) throw new Error('this filter graph takes no frames');
    orThrow(await this.#inputs.buffersrcAddFrame(frame), 'filter graph', 'bad-clip');
  }

  /** Returns the next frame, which the caller frees; undefined if no frame is ready. */
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
