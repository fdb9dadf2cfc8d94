// Why a community was not moved to another database.

/** The move could not be done, or not to its end. The message is for the operator and repeats no address. */
export class MoveRefused extends Error {
  readonly code:
    | 'file_missing'
    | 'file_unusable'
    | 'value_unusable'
    | 'target_unavailable'
    | 'target_unusable'
    | 'target_in_use'
    | 'move_under_way'
    | 'copy_differs';

  constructor(code: MoveRefused['code'], message: string) {
    super(message);
    this.code = code;
  }
}
