// The games of the family Connect(m,n,k,p,q).

import { t } from '../i18n';
import type { Cell } from './cells';

export interface Rules {
  text: string;
  width: number;
  height: number;
  infinite: boolean;
  /** k in a row win. */
  line: number;
  perTurn: number;
  firstTurn: number;
  /** More than k in a row do not win. */
  exact: boolean;
}

type NamedRules = 'connect6' | 'gomoku' | 'gomoku-standard' | 'tic-tac-toe';

const NAMED: Record<NamedRules, string> = {
  connect6: '19,19,6,2,1',
  gomoku: '15,15,5,1,1',
  'gomoku-standard': '15,15,5,1,1,exact',
  'tic-tac-toe': '3,3,3,1,1',
};

const isNamed = (text: string): text is NamedRules => Object.hasOwn(NAMED, text);

/** An infinite board is worked on in a patch of this many columns and rows around A1. */
const PATCH = 63;

export function parseRules(text: string): Rules {
  const fields = (isNamed(text) ? NAMED[text] : text).split(',').map((field) => field.trim());
  const infinite = fields[0] === 'inf';
  const number = (index: number) => Number(fields[index]);
  return {
    text,
    infinite,
    width: infinite ? PATCH : number(0),
    height: infinite ? PATCH : number(1),
    line: number(2),
    perTurn: number(3),
    firstTurn: number(4),
    exact: fields[5] === 'exact',
  };
}

export function contains(rules: Rules, { x, y }: Cell): boolean {
  return rules.infinite || (x >= 0 && y >= 0 && x < rules.width && y < rules.height);
}

/** "Connect6", "Connect(7,7,4,1,1)". */
export function rulesName(text: string): string {
  return isNamed(text) ? t(`rules.${text}`) : `Connect(${text})`;
}
