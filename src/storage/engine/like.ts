// Patterns for LIKE.

/** The pattern of texts that contain this one, for `LIKE :pattern ESCAPE '!'`. */
export function patternOf(text: string): string {
  return `%${text.replaceAll(/[!%_]/g, '!$&')}%`;
}
