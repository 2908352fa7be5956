import { useEffect } from "react";

const quietMs = 200;

/** Asks for what is typed when the user pauses; null: nothing is being typed. */
export function useSearchWhenQuiet(text: string | null, onSearch: (text: string) => void): void {
  useEffect(() => {
    if (text === null) return undefined;
    const timer = setTimeout(() => onSearch(text.trim()), quietMs);
    return () => clearTimeout(timer);
  }, [text, onSearch]);
}

interface Shown {
  /** Id of the list of offers. */
  readonly list: string;
  readonly isOpen: boolean;
  /** Place of the marked offer; -1: none. */
  readonly current: number;
}

/** Attributes of the text field of a combobox (ARIA 1.2). */
export const comboboxOf = ({ list, isOpen, current }: Shown) =>
  ({
    role: "combobox",
    autoComplete: "off",
    "aria-autocomplete": "list",
    "aria-expanded": isOpen,
    "aria-controls": isOpen ? list : undefined,
    "aria-activedescendant": isOpen && current >= 0 ? `${list}-${String(current)}` : undefined,
  }) as const;
