/**
 * The result of a method that already has it as JSON text, such as a block whose text is cached. A response contains this text; callers
 * inside the process get the parsed value.
 */
export class JsonText {
  readonly #json: string | Uint8Array;

  /** @param json complete JSON of one value: a text, or its UTF-8 */
  constructor(json: string | Uint8Array) {
    this.#json = json;
  }

  get text(): string {
    const json = this.#json;
    return typeof json === 'string'
      ? json
      : Buffer.from(json.buffer, json.byteOffset, json.length).toString();
  }

  /** The UTF-8, if it was created from that. */
  get bytes(): Uint8Array | undefined {
    return typeof this.#json === 'string' ? undefined : this.#json;
  }

  /** Returns the value, parsed again at each call. */
  parse(): unknown {
    return JSON.parse(this.text);
  }

  /** Makes `JSON.stringify` return the JSON of the value, also if it is a part of a larger answer. */
  toJSON(): unknown {
    return this.parse();
  }
}
