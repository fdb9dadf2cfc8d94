// What Discourse shows to some visitors only: tags of groups that not everyone may see, and bios of members who hide
// their profile or are new. Read in discourse/discourse: app/models/{tag_group_permission,user_option}.rb and
// lib/{discourse_tagging,guardian/user_guardian}.rb. An older dump without these tables or columns hides nothing.

type Values = Readonly<Record<string, string | null>>;

const EVERYONE = '0';
const NEW_MEMBER = '0';

/** The tables and columns to read. */
export const HIDING = {
  tag_group_memberships: ['tag_id', 'tag_group_id'],
  tag_group_permissions: ['tag_group_id', 'group_id'],
  user_options: ['user_id', 'hide_profile_and_presence', 'hide_profile'],
};

export class HiddenFromVisitors {
  private readonly groupsOfTags = new Map<string, string[]>();
  /** Whether everyone may see the tags of the group. */
  private readonly groups = new Map<string, boolean>();
  private readonly profiles = new Set<string>();

  /** Take a row over. False if its table is none of `HIDING`. */
  note(table: string, { tag_id, tag_group_id, group_id, user_id, ...options }: Values): boolean {
    const group = tag_group_id ?? '';
    if (table === 'tag_group_memberships') {
      const tag = tag_id ?? '';
      this.groupsOfTags.set(tag, [...(this.groupsOfTags.get(tag) ?? []), group]);
    } else if (table === 'tag_group_permissions') {
      this.groups.set(group, group_id === EVERYONE || this.groups.get(group) === true);
    } else if (table === 'user_options') {
      if (Object.values(options).includes('t')) this.profiles.add(user_id ?? '');
    } else return false;
    return true;
  }

  hasTag(id: string): boolean {
    return (this.groupsOfTags.get(id) ?? []).some((group) => this.groups.get(group) === false);
  }

  /** Report whether the member's bio is hidden. */
  hasBioOf({ id, trust_level }: Values): boolean {
    return trust_level === NEW_MEMBER || this.profiles.has(id ?? '');
  }
}
