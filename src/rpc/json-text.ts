/**
 * The answer of a method that has it as JSON text already, such as a block whose text is cached. A response contains
 * the text as it is; callers in the process get the value.
 */
export class JsonText {
  readonly #json: string | Uint8Array;

  /** @param json complete JSON of one value: text, or its UTF-8 */
  constructor(json: string | Uint8Array) {
    this.#json = json;
  }

  get text(): string {
    const json = this.#json;
    return typeof json === 'string'
      ? json
      : Buffer.from(json.buffer, json.byteOffset, json.length).toString();
  }

  /** The UTF-8, where it was made of that. */
  get bytes(): Uint8Array | undefined {
    return typeof this.#json === 'string' ? undefined : this.#json;
  }

  /** The value, parsed anew with each call. */
  parse(): unknown {
    return JSON.parse(this.text);
  }

  /** Makes `JSON.stringify` give the same as for the value, also where the text is a part of a larger answer. */
  toJSON(): unknown {
    return this.parse();
  }
}
