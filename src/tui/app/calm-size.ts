import { useWindowSize } from 'ink';
import { useEffect, useState } from 'react';

/** While a window is dragged, sizes come in a storm: only the last is drawn. */
const CALM_MS = 40;

/** The size of the terminal, once it rests. */
export function useCalmSize(): { columns: number; rows: number } {
  const { columns, rows } = useWindowSize();
  const [calm, setCalm] = useState({ columns, rows });
  useEffect(() => {
    if (columns === calm.columns && rows === calm.rows) return undefined;
    const timer = setTimeout(() => setCalm({ columns, rows }), CALM_MS);
    return () => clearTimeout(timer);
  }, [columns, rows, calm]);
  // Never more than there is room for, not even for a moment.
  return { columns: Math.min(columns, calm.columns), rows: Math.min(rows, calm.rows) };
}
