import { memo, useCallback, useDeferredValue, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import { Icon } from "#ui/icon";
import { BulkButton } from "./BulkButton.tsx";
import { pageSizes } from "./state.ts";
import { ticked, tickWhole, type GridSelection } from "./selection.ts";
import { useStored } from "./store.ts";

export interface GridPaging {
  readonly page: number;
  readonly size: number;
  readonly total: number;
  /** Rows that every page has above its own, such as the root of a tree; they count too. */
  readonly rowsAbove?: number;
  readonly onPage: (page: number) => void;
  readonly onSize: (size: number) => void;
  /** Paging is locked for a second after a change of tab. */
  readonly isLocked?: boolean;
  readonly sizes?: readonly number[];
}

/** Whether all rows of the list are selected, not only those of the page. */
export interface GridWhole {
  readonly isWhole: boolean;
  readonly toggle: () => void;
}

/** Actions for the selected rows. */
export type GridBulk = (keys: readonly string[], clear: () => void, whole: GridWhole) => ReactNode;

export interface GridFooterProps {
  readonly selection: GridSelection;
  readonly paging: GridPaging | undefined;
  readonly bulk: GridBulk | undefined;
  readonly clear: () => void;
  readonly note: ReactNode;
}

/** The mark in the row is the answer to a tick, and is shown first; the actions follow in the next frame. */
function Footer({ selection, ...props }: GridFooterProps) {
  const joined = useStored(selection, (ticks) => Object.keys(ticks).join());
  const onWhole = useCallback(() => tickWhole(selection), [selection]);
  return <Bar joined={useDeferredValue(joined)} onWhole={onWhole} {...props} />;
}

interface BarProps extends Omit<GridFooterProps, "selection"> {
  /** Keys of the ticked rows. */
  readonly joined: string;
  readonly onWhole: () => void;
}

const Bar = memo(function Bar({ joined, onWhole, paging, bulk, clear, note }: BarProps) {
  const { t } = useTranslation("grid");
  const { number } = useFormat();
  const isPaged = paging !== undefined && countOf(paging) > 0;
  const isBare = !isPaged && note === undefined;
  if (isBare) return null;
  const { keys, isWhole } = ticked(joined);
  const isBulk = bulk !== undefined && joined !== "";
  const count = isWhole && paging ? countOf(paging) : keys.length;
  return (
    <div className="grid-foot" data-bulk={isBulk ? "" : undefined} role={isBulk ? "toolbar" : undefined}>
      {isBulk ? (
        <div className="grid-bulk" aria-live="polite">
          <strong>{t("selected", { count, shown: number(count, 0) })}</strong>
          {bulk(keys, clear, { isWhole, toggle: onWhole })}
          <BulkButton onClick={clear}>
            {t("clear")} <kbd>{"Esc"}</kbd>
          </BulkButton>
        </div>
      ) : (
        <div className="grid-foot-note">{note}</div>
      )}
      {isPaged ? <Pages {...paging} /> : null}
    </div>
  );
});

/**
 * Count and pages; while rows are selected the left half has the bulk actions. It never covers a row, and a
 * move of the cursor does not re-render it.
 */
export const GridFooter = memo(Footer);

/** All rows of a list, on every page. */
export function countOf({ total, rowsAbove = 0 }: Pick<GridPaging, "total" | "rowsAbove">): number {
  return total + rowsAbove;
}

function Pages(props: GridPaging) {
  const { page, size, total, rowsAbove = 0, onPage, onSize, isLocked = false, sizes = pageSizes } = props;
  const { t } = useTranslation("grid");
  const { number } = useFormat();
  const last = Math.max(1, Math.ceil(total / size));
  // The rows above are counted once, with the first page.
  const from = (page - 1) * size + 1 + (page > 1 ? rowsAbove : 0);
  const to = Math.min(page * size, total) + rowsAbove;
  return (
    <nav className="grid-pages" aria-label={t("pages")}>
      <label>
        <span className="visually-hidden">{t("pageSize")}</span>
        <select value={size} onChange={(event) => onSize(Number(event.target.value))}>
          {sizes.map((each) => (
            <option key={each} value={each}>
              {t("perPage", { size: each })}
            </option>
          ))}
        </select>
        <Icon name="chevronDown" size={12} />
      </label>
      <span>{t("span", { from: number(from), to: number(to), total: number(countOf(props)) })}</span>
      <button
        type="button"
        aria-label={t("previous")}
        disabled={isLocked || page <= 1}
        onClick={() => onPage(page - 1)}
      >
        <Icon name="chevronLeft" />
      </button>
      <button
        type="button"
        aria-label={t("next")}
        disabled={isLocked || page >= last}
        onClick={() => onPage(page + 1)}
      >
        <Icon name="chevronRight" />
      </button>
    </nav>
  );
}
