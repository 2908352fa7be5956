import { Suspense, useCallback, useState, type ReactNode } from "react";
import { lazily } from "#lib/load";
import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import { useClosing } from "#ui/menu";
import type { FilterProps, ListFilter, Words } from "./types.ts";

export interface Chip {
  readonly id: string;
  readonly title: string;
  readonly isSingle?: boolean;
  readonly options: readonly { readonly id: string; readonly title: string; readonly icon?: ReactNode }[];
}

/** The options are loaded when the menu is opened. */
const Options = lazily(async () => ({ default: (await import("./ChipOptions.tsx")).ChipOptions }));

/** Chips that show the filters in words, and a button that adds one. */
export function many<Context>(
  ids: readonly string[],
  chipsOf: (context: Words & Context) => readonly Chip[],
): ListFilter<Context> {
  function Many({ context, ...props }: FilterProps<Context>) {
    return <Chips {...props} chips={chipsOf(context)} />;
  }
  return { ids, Draw: Many };
}

type ChipsProps = Omit<FilterProps<unknown>, "context"> & { readonly chips: readonly Chip[] };

function Chips({ chips, state, put, change, total }: ChipsProps) {
  const { t } = useTranslation("grid");
  const { number } = useFormat();
  const [open, setOpen] = useState<string | null>(null);
  const close = useCallback(() => setOpen(null), []);
  const holder = useClosing(open !== null, close);
  const chosen = chips.filter((each) => (state.filters[each.id]?.length ?? 0) > 0);
  const current = chips.find((each) => each.id === open);
  return (
    <div
      className="list-chips"
      ref={holder}
      onKeyDown={(event) => {
        if (event.key === "Escape" && open !== null) close();
      }}
    >
      {chosen.map((each) => {
        const text = wordsOf(each, state.filters[each.id] ?? []);
        return (
          <span className="list-chip" key={each.id}>
            <button type="button" onClick={() => setOpen(each.id)}>
              {text}
            </button>
            <button
              type="button"
              aria-label={t("removeFilter", { filter: text })}
              onClick={() => put(each.id, [])}
            >
              ✕
            </button>
          </span>
        );
      })}
      <button
        type="button"
        className="list-chip-add"
        aria-expanded={open !== null}
        onClick={() => setOpen(open === null ? "" : null)}
      >
        {t("addFilter")}
      </button>
      {chosen.length > 1 ? (
        <button type="button" className="list-chip-clear" onClick={() => change({ filters: {} })}>
          {t("resetFilters")}
        </button>
      ) : null}
      {open === null ? null : (
        <div className="list-chip-menu" role="dialog" aria-label={t("filter")}>
          {current ? (
            <Suspense>
              <Options
                key={current.id}
                chip={current}
                values={state.filters[current.id] ?? []}
                onValues={(values) => put(current.id, values)}
                onBack={() => setOpen("")}
              />
            </Suspense>
          ) : (
            <ul>
              {chips.map((each) => (
                <li key={each.id}>
                  <button type="button" onClick={() => setOpen(each.id)}>
                    {each.title}
                    <span aria-hidden="true">›</span>
                  </button>
                </li>
              ))}
            </ul>
          )}
          <button type="button" className="list-chip-show" onClick={close}>
            {t("showResult", { shown: number(total ?? 0, 0) })}
          </button>
        </div>
      )}
    </div>
  );
}

/** "Status: Silent, Off +1". */
function wordsOf({ title, options }: Chip, values: readonly string[]): string {
  const words = values.map((value) => options.find((option) => option.id === value)?.title ?? value);
  const more = words.length > 2 ? ` +${String(words.length - 2)}` : "";
  return `${title}: ${words.slice(0, 2).join(", ")}${more}`;
}
