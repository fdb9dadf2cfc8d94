// The refusal of a request that was understood and can't be carried out.

export class Refusal extends Error {
  /** For programs; the message is for people. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
  }
}
