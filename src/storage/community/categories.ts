// Categories of posts, as rows.

import type { Category, CommunityStore } from '../../community/store.ts';
import { noteOf } from '../audit/audit-events.ts';
import type { Database } from '../engine/database.ts';
import { type Param, statement } from '../engine/statement.ts';

export function categoryRows(
  database: Database,
): Pick<CommunityStore, 'categories' | 'ensureCategory' | 'renameCategory'> {
  return {
    async categories() {
      return (await database.rows(selectCategories({}))).map(categoryOf);
    },
    async ensureCategory(slug, name, act) {
      const note = { action: 'category.create', subjectKind: 'category', subjectId: slug } as const;
      await database.atomically({ guard: insertCategory({ slug, name }), effects: noteOf(act, note) });
      const category = await database.first(selectCategory({ slug }));
      if (category === undefined)
        throw new Error(`The category "${slug}" is gone; categories are never deleted.`);
      return categoryOf(category);
    },
    async renameCategory(slug, name, act) {
      const outcome = await database.atomically({
        guard: updateName({ slug, name }),
        effects: noteOf(act, {
          action: 'category.rename',
          subjectKind: 'category',
          subjectId: slug,
          detail: { name },
        }),
      });
      return outcome.happened;
    },
  };
}

const selectCategories = statement((sql, _: Param<Record<never, never>>) =>
  sql.selectFrom('categories').selectAll().orderBy('id'),
);

const insertCategory = statement((sql, p: Param<{ slug: string; name: string }>) =>
  sql
    .insertInto('categories')
    .values({ slug: p('slug'), name: p('name') })
    .onConflict((conflict) => conflict.column('slug').doNothing()),
);

const updateName = statement((sql, p: Param<{ slug: string; name: string }>) =>
  sql
    .updateTable('categories')
    .set({ name: p('name') })
    .where('slug', '=', p('slug')),
);

const selectCategory = statement((sql, p: Param<{ slug: string }>) =>
  sql.selectFrom('categories').selectAll().where('slug', '=', p('slug')),
);

function categoryOf({ id, slug, name }: Category): Category {
  return { id, slug, name };
}
