// The error about an application that can't be registered as it was described.

/** The parts of a registration that can be wrong. */
export type RegistrationField =
  | 'name'
  | 'description'
  | 'homePage'
  | 'redirectUris'
  | 'scopes'
  | 'requiredScopes'
  | 'reasons'
  | 'endpoint';

/** The registration is not acceptable. The message tells the developer why. */
export class InvalidRegistration extends Error {
  readonly field: RegistrationField;

  constructor(field: RegistrationField, message: string) {
    super(message);
    this.field = field;
  }
}
