// The error about an application that can't be registered as it was described.

/** The registration is not acceptable. The message tells the developer why. */
export class InvalidRegistration extends Error {}
