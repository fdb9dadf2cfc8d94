// Why an uploaded picture is refused, in words: members' pictures and the community's logo.

import type { AvatarProblem } from '../../identity/avatar.ts';
import { bilingual, type Language } from './language.ts';
import type { Upload, UploadProblem } from './upload.ts';
import type { PageContext } from './visitor.ts';
import { retryAfter, waitText } from './waiting.ts';

/** The types that a form offers to choose. */
export const PICTURE_TYPES = 'image/png,image/jpeg,image/webp,image/gif,image/avif';

export type PictureProblem = AvatarProblem | { problem: UploadProblem | 'missing' };

/** Pass the file of a form to `save`, or say why there is none to save. */
export async function saveUpload(
  upload: Upload | UploadProblem,
  save: (file: Uint8Array, signal: AbortSignal) => Promise<PictureProblem | undefined>,
): Promise<PictureProblem | undefined> {
  if (typeof upload === 'string') return { problem: upload };
  return upload.file.byteLength === 0 ? { problem: 'missing' } : save(upload.file, upload.signal);
}

export function pictureProblemText(problem: PictureProblem, language: Language): string {
  const t = words[language];
  switch (problem.problem) {
    case 'too_many_pixels':
      // Rounded down, so that a picture of the size that the page names is accepted.
      return t.too_many_pixels(Math.floor(problem.mostPixels / 1_000_000));
    case 'too_often':
      return t.too_often(waitText(problem.retryAfterSeconds, language));
    default:
      return t[problem.problem];
  }
}

/** Return the status of the page that says it. Sets Retry-After if it is about time. */
export function pictureStatus(c: PageContext, problem: PictureProblem): 400 | 429 | 503 {
  if (problem.problem === 'too_often') retryAfter(c, problem.retryAfterSeconds);
  if (problem.problem === 'busy') return 503;
  return problem.problem === 'too_often' || problem.problem === 'second' ? 429 : 400;
}

const words = bilingual(
  {
    missing: 'Choose a file first.',
    too_large: 'The file is larger than 5 MB. Make it smaller and choose it again.',
    not_a_picture: 'This file can’t be read as a picture. Choose a PNG, JPEG, WebP, GIF or AVIF file.',
    too_slow: 'The upload took longer than 25 seconds. Choose a smaller file, or try a faster connection.',
    too_many_pixels: (millions: number) =>
      `A picture of this kind can have at most ${millions} million pixels, and 12,000 along each side. Make it smaller and choose it again.`,
    too_costly:
      'We couldn’t convert this picture: it takes too much memory or time. Make it smaller, or save it as a JPEG, and choose it again.',
    too_often: (wait: string) => `You’ve uploaded many pictures. Try again in ${wait}.`,
    second: 'You’re already uploading a picture. Wait until it’s done, then try again.',
    busy: 'Many pictures are being uploaded right now. Try again in a moment.',
  },
  {
    missing: '请先选择文件。',
    too_large: '文件超过 5 MB，请缩小后重新选择。',
    not_a_picture: '无法将此文件读取为图片，请选择 PNG、JPEG、WebP、GIF 或 AVIF 文件。',
    too_slow: '上传超过了 25 秒。请选择较小的文件，或换用更快的网络。',
    too_many_pixels: (millions) =>
      `这类图片最多 ${millions * 100} 万像素，每边最长 12,000 像素，请缩小后重新选择。`,
    too_costly: '转换这张图片需要的内存或时间过多。请缩小图片，或另存为 JPEG 后重新选择。',
    too_often: (wait) => `您上传图片过于频繁，请在 ${wait}后再试。`,
    second: '您的另一张图片正在上传，请等它完成后再试。',
    busy: '当前上传图片的人较多，请稍后再试。',
  },
);
