// Cards, the pictures in previews of a link, and icons of the site. Each is drawn in a process of its own.

import { setTimeout } from 'node:timers/promises';
import { SECOND } from './clock.ts';
import { answerOfProcess, type DrawingLimits } from './drawing-process.ts';
import { turnsOf } from './turns.ts';

export const CARD_WIDTH = 1200;
export const CARD_HEIGHT = 630;

/** SVG that we have written, as a text, or a picture that we have redrawn. */
export type OwnPicture = string | Uint8Array;

interface Colours {
  /** As `#rrggbb`. */
  paper: string;
  accent: string;
}

/** What is on a card. A text whose letters no font here has is left out. */
export interface Card extends Colours {
  title: string;
  /** Below the title. */
  line?: string;
  /** At the top, beside the mark. */
  place?: string;
  author?: string;
  avatar?: OwnPicture;
  mark: OwnPicture;
}

export interface Icon extends Colours {
  /** In pixels. */
  side: number;
  mark: OwnPicture;
  /** How much of the side the mark takes. Some systems cut the edge of an icon off. */
  share: number;
}

export type CardDrawing = { image: Uint8Array } | { problem: 'too_costly' | 'busy' };

// A title with every sign of a page takes a second.
const LIMITS: DrawingLimits = { memoryKiB: 280_000, time: 15_000, processorSeconds: 8 };
// Strangers can ask for many at once.
const inTurn = turnsOf({ atOnce: 1, waiting: 20, waitingOfCaller: 4, aboutAsLong: SECOND });

/** Draw a card as PNG, for a caller who waits for few at a time. */
export function drawCard(card: Card, caller: string): Promise<CardDrawing> {
  return drawInTurn(card, caller);
}

/** Draw an icon as PNG. */
export function drawIcon(icon: Icon, caller: string): Promise<CardDrawing> {
  return drawInTurn(icon, caller);
}

function drawInTurn(message: Card | Icon, caller: string): Promise<CardDrawing> {
  return new Promise((resolve, reject) => {
    const turn = inTurn(caller, async () => {
      const start = performance.now();
      resolve(await answerOfProcess<{ image: Uint8Array }>('card-process.js', message, LIMITS));
      // Drawing never takes more than half of a processor.
      await setTimeout(performance.now() - start);
      return true;
    });
    turn.then((isDone) => isDone || resolve({ problem: 'busy' }), reject);
  });
}
