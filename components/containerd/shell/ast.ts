/** The parts of a shell program, as POSIX names them. */

export type WordPart =
  | { readonly type: 'text'; readonly text: string; readonly quoted: boolean }
  | {
      readonly type: 'parameter';
      readonly name: string;
      readonly operator: string;
      readonly argument: Word | undefined;
      readonly quoted: boolean;
    }
  | { readonly type: 'command'; readonly list: List; readonly quoted: boolean }
  | { readonly type: 'arithmetic'; readonly expression: Word; readonly quoted: boolean };

export interface Word {
  readonly parts: readonly WordPart[];
}

export interface Redirect {
  readonly fd: number;
  readonly operator: '<' | '>' | '>>' | '>&' | '<&' | '<<';
  readonly target: Word;
}

export interface Assignment {
  readonly name: string;
  readonly value: Word;
}

export interface CaseItem {
  readonly patterns: readonly Word[];
  readonly body: List;
}

export type Command =
  | {
      readonly type: 'simple';
      readonly assignments: readonly Assignment[];
      readonly words: readonly Word[];
      readonly redirects: readonly Redirect[];
    }
  | { readonly type: 'subshell' | 'group'; readonly body: List; readonly redirects: readonly Redirect[] }
  | {
      readonly type: 'if';
      readonly branches: readonly { readonly condition: List; readonly body: List }[];
      readonly otherwise: List | undefined;
      readonly redirects: readonly Redirect[];
    }
  | { readonly type: 'while' | 'until'; readonly condition: List; readonly body: List; readonly redirects: readonly Redirect[] }
  | {
      readonly type: 'for';
      readonly name: string;
      readonly words: readonly Word[] | undefined;
      readonly body: List;
      readonly redirects: readonly Redirect[];
    }
  | { readonly type: 'case'; readonly subject: Word; readonly items: readonly CaseItem[]; readonly redirects: readonly Redirect[] }
  | { readonly type: 'function'; readonly name: string; readonly body: Command; readonly redirects: readonly Redirect[] };

export interface Pipeline {
  readonly commands: readonly Command[];
  readonly negated: boolean;
}

export interface AndOr {
  readonly first: Pipeline;
  readonly rest: readonly { readonly operator: '&&' | '||'; readonly pipeline: Pipeline }[];
}

export interface ListItem {
  readonly andOr: AndOr;
  readonly background: boolean;
}

export type List = readonly ListItem[];

/** A word that is exactly this text. */
export function literalOf(word: Word | undefined): string | undefined {
  const [part, ...more] = word?.parts ?? [];
  return part?.type === 'text' && more.length === 0 ? part.text : undefined;
}
