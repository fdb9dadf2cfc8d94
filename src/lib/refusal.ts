// What was understood and can't be carried out. `code` is for programs, the message for people.

export class Refusal extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
  }
}
