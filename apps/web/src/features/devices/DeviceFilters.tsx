import { lazy, Suspense, useCallback, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import type { GridState } from "#ui/grid";
import { useClosing } from "#ui/menu";

export interface FilterOption {
  readonly id: string;
  readonly title: string;
  readonly icon?: ReactNode;
}
export interface Filter {
  readonly id: string;
  readonly title: string;
  readonly isSingle?: boolean;
  readonly options: readonly FilterOption[];
}

/** The options come when the menu is opened. */
const Options = lazy(async () => ({ default: (await import("./FilterOptions.tsx")).FilterOptions }));

interface Props {
  readonly filters: readonly Filter[];
  readonly state: GridState;
  readonly total: number;
  readonly onFilters: (filters: GridState["filters"]) => void;
}

/** Chips with what is filtered in words, and one button that adds to them. */
export function DeviceFilters({ filters, state, total, onFilters }: Props) {
  const { t } = useTranslation("devices");
  const { number } = useFormat();
  const [open, setOpen] = useState<string | null>(null);
  const close = useCallback(() => setOpen(null), []);
  const holder = useClosing(open !== null, close);
  const change = (id: string, values: readonly string[]) => {
    const rest = Object.entries(state.filters).filter(([name]) => name !== id);
    onFilters(Object.fromEntries(values.length > 0 ? [...rest, [id, values]] : rest));
  };
  const chosen = filters.filter((each) => (state.filters[each.id]?.length ?? 0) > 0);
  const current = filters.find((each) => each.id === open);
  return (
    <div
      className="filters"
      ref={holder}
      onKeyDown={(event) => {
        if (event.key === "Escape" && open !== null) close();
      }}
    >
      {chosen.map((each) => {
        const values = state.filters[each.id] ?? [];
        const words = values.map(
          (value) => each.options.find((option) => option.id === value)?.title ?? value,
        );
        const text = `${each.title}: ${words.slice(0, 2).join(", ")}${words.length > 2 ? ` +${String(words.length - 2)}` : ""}`;
        return (
          <span className="chip" key={each.id}>
            <button type="button" onClick={() => setOpen(each.id)}>
              {text}
            </button>
            <button
              type="button"
              aria-label={t("removeFilter", { filter: text })}
              onClick={() => change(each.id, [])}
            >
              ✕
            </button>
          </span>
        );
      })}
      <button
        type="button"
        className="chip-add"
        aria-expanded={open !== null}
        onClick={() => setOpen(open === null ? "" : null)}
      >
        {t("addFilter")}
      </button>
      {chosen.length > 1 ? (
        <button type="button" className="chip-clear" onClick={() => onFilters({})}>
          {t("resetFilters")}
        </button>
      ) : null}
      {open === null ? null : (
        <div className="filter-menu" role="dialog" aria-label={t("filter")}>
          {current ? (
            <Suspense>
              <Options
                key={current.id}
                filter={current}
                values={state.filters[current.id] ?? []}
                onValues={(values) => change(current.id, values)}
                onBack={() => setOpen("")}
              />
            </Suspense>
          ) : (
            <ul>
              {filters.map((each) => (
                <li key={each.id}>
                  <button type="button" onClick={() => setOpen(each.id)}>
                    {each.title}
                    <span aria-hidden="true">›</span>
                  </button>
                </li>
              ))}
            </ul>
          )}
          <button type="button" className="filter-show" onClick={close}>
            {t("showResult", { shown: number(total, 0) })}
          </button>
        </div>
      )}
    </div>
  );
}
