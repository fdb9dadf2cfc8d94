// The words of the page about categories.

import { MOST_CATEGORIES } from '../../../community/category.ts';
import { bilingual } from '../../pages/language.ts';

export const categoryWords = bilingual(
  {
    done: {
      saved: 'Category saved.',
      up: 'Category moved up.',
      merged: 'Categories merged.',
      deleted: 'Category deleted.',
    },
    explanation:
      'Pages show the categories in this order. Renaming a category keeps its address, and a merged category’s address leads to the other.',
    nameOf: (name: string) => `Name of the category “${name}”`,
    description: 'Description (optional)',
    save: 'Save',
    more: (name: string) => `Move, merge or delete “${name}”`,
    up: 'Move up',
    into: 'Merge into',
    merge: 'Merge',
    delete: 'Delete',
    mergeQuestion: (from: string, to: string) => `Merge “${from}” into “${to}”?`,
    mergeConsequences: (from: string, to: string) => [
      `All posts of “${from}” move to “${to}”.`,
      `“${from}” is deleted. Its address leads to “${to}”.`,
      'This can’t be undone.',
    ],
    cancel: 'Cancel',
    another: 'New category',
    name: 'Name',
    add: 'Add category',
    problems: {
      name: 'Enter a name of 1 to 40 visible characters.',
      taken: 'Another category has this name.',
      description: 'Enter a description of one line with at most 160 characters.',
      full: 'Not deleted: the category has posts, drafts or removed posts. Merge it into another category.',
      too_many: `There are ${MOST_CATEGORIES} categories, the most there can be. Merge or delete one first.`,
      too_fast:
        'Not saved: you’ve changed very many categories this hour. Try again later, or ask an operator.',
    },
  },
  {
    done: { saved: '分类已保存。', up: '分类已上移。', merged: '分类已合并。', deleted: '分类已删除。' },
    explanation: '各页面按此顺序显示分类。更名不会改变分类的地址；被合并的分类，其地址会转到新分类。',
    nameOf: (name: string) => `分类“${name}”的名称`,
    description: '说明（可选）',
    save: '保存',
    more: (name) => `移动、合并或删除“${name}”`,
    up: '上移',
    into: '并入',
    merge: '合并',
    delete: '删除',
    mergeQuestion: (from, to) => `将“${from}”并入“${to}”？`,
    mergeConsequences: (from, to) => [
      `“${from}”的所有文章将移到“${to}”。`,
      `“${from}”将被删除，其地址会转到“${to}”。`,
      '此操作无法撤销。',
    ],
    cancel: '取消',
    another: '新建分类',
    name: '名称',
    add: '添加分类',
    problems: {
      name: '请填写 1 到 40 个可见字符的名称。',
      taken: '已有同名的分类。',
      description: '说明只能有一行，最多 160 个字符。',
      full: '未删除：此分类下还有文章、草稿或已移除的文章。请将它并入其他分类。',
      too_many: `分类最多 ${MOST_CATEGORIES} 个，现已达到上限。请先合并或删除一个分类。`,
      too_fast: '未保存：您这一小时更改分类的次数过多。请稍后再试，或联系管理员。',
    },
  },
);
