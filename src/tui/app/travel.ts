import { useEffect, useState } from 'react';
import type { Motion } from '../view/pace.ts';

/** How many frames a message takes on its way, and for how long each stands. */
const FRAMES = 4;
const FRAME_MS = 45;

/** How far the message of the present step has come, from 0 to 1. Only forward, and only where motion is wanted; when it has arrived no timer runs. */
export function useTravel(cursor: number, motion: Motion): number {
  const [shown, show] = useState({ cursor, frame: FRAMES });
  const travels = motion === 'full' && cursor > shown.cursor;
  const frame = travels ? 1 : cursor === shown.cursor && motion === 'full' ? shown.frame : FRAMES;
  useEffect(() => {
    if (cursor !== shown.cursor) return show({ cursor, frame });
    if (frame >= FRAMES) return undefined;
    const timer = setTimeout(() => show({ cursor, frame: frame + 1 }), FRAME_MS);
    return () => clearTimeout(timer);
  }, [cursor, frame, shown.cursor]);
  return frame / FRAMES;
}
