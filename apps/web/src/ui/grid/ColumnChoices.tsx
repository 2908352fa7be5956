import { useTranslation } from "react-i18next";
import { chooserSelectAllFrom } from "./types.ts";

interface Choice {
  readonly id: string;
  readonly title: string;
  readonly isFixed?: boolean;
}

export interface ChoicesProps {
  readonly columns: readonly Choice[];
  readonly shown: readonly string[];
  /** Null restores the default columns of the table. */
  readonly onShown: (shown: readonly string[] | null) => void;
}

/** Moves one column past its neighbour among the visible ones. */
export function moved(shown: readonly string[], id: string, by: -1 | 1): readonly string[] {
  const at = shown.indexOf(id);
  const other = shown[at + by];
  if (at < 0 || other === undefined) return shown;
  return shown.map((each) => (each === id ? other : each === other ? id : each));
}

/** A checkbox and two arrows for each column; with five or more columns one checkbox for all of them. */
export function ColumnChoices({ columns, shown, onShown }: ChoicesProps) {
  const { t } = useTranslation("grid");
  const optional = columns.filter((each) => each.isFixed !== true);
  const isAll = optional.every((each) => shown.includes(each.id));
  const toggle = (column: string) =>
    onShown(shown.includes(column) ? shown.filter((each) => each !== column) : [...shown, column]);
  const ordered = [...columns].sort((a, b) => rank(shown, a.id) - rank(shown, b.id));
  return (
    <>
      {optional.length >= chooserSelectAllFrom ? (
        <label className="grid-choice is-all">
          <input
            type="checkbox"
            className="grid-box"
            checked={isAll}
            onChange={() =>
              onShown((isAll ? columns.filter((each) => each.isFixed) : columns).map((each) => each.id))
            }
          />
          {t("selectAll")}
        </label>
      ) : null}
      <ul>
        {ordered.map((each) => (
          <li key={each.id} className="grid-choice">
            <label>
              <input
                type="checkbox"
                className="grid-box"
                checked={shown.includes(each.id)}
                disabled={each.isFixed === true}
                onChange={() => toggle(each.id)}
              />
              {each.title}
            </label>
            {shown.includes(each.id) ? (
              <span className="grid-order">
                <button
                  type="button"
                  aria-label={t("earlier", { column: each.title })}
                  disabled={shown.indexOf(each.id) <= 0}
                  onClick={() => onShown(moved(shown, each.id, -1))}
                >
                  ↑
                </button>
                <button
                  type="button"
                  aria-label={t("later", { column: each.title })}
                  disabled={shown.indexOf(each.id) >= shown.length - 1}
                  onClick={() => onShown(moved(shown, each.id, 1))}
                >
                  ↓
                </button>
              </span>
            ) : null}
          </li>
        ))}
      </ul>
      <button type="button" className="grid-tool" onClick={() => onShown(null)}>
        {t("resetColumns")}
      </button>
    </>
  );
}

function rank(shown: readonly string[], id: string): number {
  const at = shown.indexOf(id);
  return at < 0 ? Number.MAX_SAFE_INTEGER : at;
}
