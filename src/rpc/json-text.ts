/**
 * The answer of a method that has it as JSON text already, such as a block whose text is cached. A response contains
 * the text as it is; callers in the process get the value.
 */
export class JsonText {
  /** complete JSON of one value */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
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
