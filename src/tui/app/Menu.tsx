import { useApp, useInput, useWindowSize } from 'ink';
import { type ReactElement, useRef, useState } from 'react';
import { framePane } from '../view/frame.ts';
import { type GlyphSet, glyphsOf } from '../view/glyphs.ts';
import type { AskedLook } from '../view/look.ts';
import { foundItems, MENU_START, type MenuItem, menuContent, pressInMenu } from '../view/menu-view.ts';
import { type ColorDepth, colorDepth, THEMES, type ThemeName } from '../view/theme.ts';
import { type Language, wordsOf } from '../words/words.ts';
import { decodeKeys } from './decode-keys.ts';
import { lookFor, renderFullScreen } from './full-screen.ts';
import { PaintContext } from './paint-context.ts';
import { Rows } from './Rows.tsx';

interface MenuProps {
  readonly title: string;
  readonly items: readonly MenuItem[];
  readonly lang: Language;
  readonly theme: ThemeName;
  readonly depth: ColorDepth;
  readonly glyphs: GlyphSet;
  readonly onChoose: (id: string | undefined) => void;
}

function Menu({ title, items, lang, theme, depth, glyphs, onChoose }: MenuProps): ReactElement {
  const { exit } = useApp();
  const { columns, rows } = useWindowSize();
  const [state, setState] = useState(MENU_START);
  /** What the next key finds: several may arrive before anything is drawn again. */
  const latest = useRef(state);
  const found = foundItems(items, state);
  const words = wordsOf(lang);
  const left = useRef(false);
  const leave = (id: string | undefined): void => {
    left.current = true;
    onChoose(id);
    exit();
  };
  const take = (name: string): void => {
    const { selected, sought, typing } = latest.current;
    if (left.current) return;
    if (name === 'ctrl-c' || (sought === undefined && (name === 'q' || name === 'esc'))) leave(undefined);
    else if (name === 'enter' || (name === 'right' && !typing)) {
      const { id } = foundItems(items, latest.current)[selected] ?? {};
      if (id !== undefined) leave(id);
    } else {
      latest.current = pressInMenu(latest.current, name, items);
      setState(latest.current);
    }
  };
  useInput((input, key) => decodeKeys(input, key).forEach(take));
  const [width, height] = [Math.max(columns, 20), Math.max(rows, 5)];
  const content = menuContent({
    title,
    items: found,
    selected: state.selected,
    sought: state.sought,
    width: width - 2,
    height: height - 2,
    keys: words.views.menuKeys,
  });
  const lines = framePane(content, { width, height, focused: true, glyphs: glyphsOf(glyphs) });
  return (
    <PaintContext value={{ theme: THEMES[theme], depth, glyphs: glyphsOf(glyphs), words }}>
      <Rows lines={lines} width={columns} height={rows} />
    </PaintContext>
  );
}

/** What to choose from, and how it looks. */
export interface MenuOptions extends AskedLook {
  readonly title: string;
  readonly items: readonly MenuItem[];
  readonly lang: Language;
  readonly stdin?: NodeJS.ReadStream;
  readonly stdout?: NodeJS.WriteStream;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Shows the items in the whole terminal; resolves with the id of the chosen one, or undefined for none. */
export async function runMenu({
  stdin = process.stdin,
  stdout = process.stdout,
  env = process.env,
  title,
  items,
  lang,
  ...asked
}: MenuOptions): Promise<string | undefined> {
  let chosen: string | undefined;
  const choose = (id: string | undefined): void => {
    chosen = id;
  };
  const { theme, glyphs } = await lookFor(asked, { stdin, stdout }, env);
  const menu = <Menu {...{ title, items, lang, theme, glyphs }} depth={colorDepth(env)} onChoose={choose} />;
  const instance = renderFullScreen(menu, { stdin, stdout });
  await instance.waitUntilExit();
  return chosen;
}
