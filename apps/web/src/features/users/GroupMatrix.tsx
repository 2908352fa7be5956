import type { AccessRules } from "@metrum/contract/access";
import type { AccessAction } from "@metrum/vocabulary";
import { useRef, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { has, isUsed, shownActions, withRow, withTick, type ModuleRow } from "./rights.ts";

interface Props {
  readonly rows: readonly ModuleRow[];
  readonly rules: AccessRules;
  /** Unsaved ticks, as "module:action". */
  readonly changed: ReadonlySet<string>;
  readonly isReadOnly: boolean;
  readonly onRules: (rules: AccessRules) => void;
  /** The focused tick. */
  readonly onTick: (tick: { readonly module: number; readonly action: AccessAction }) => void;
}

/** Modules by actions: arrows move, Space ticks; an unsaved tick has the pending colour. */
export function GroupMatrix({ rows, rules, changed, isReadOnly, onRules, onTick }: Props) {
  const { t } = useTranslation("users");
  const table = useRef<HTMLTableElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const to = nextBox(table.current, event);
    if (!to) return;
    event.preventDefault();
    to.focus();
  };
  return (
    <div className="panel matrix">
      <table ref={table} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            <th scope="col">{t("matrix.module")}</th>
            {shownActions.map((action) => (
              <th scope="col" key={action}>
                {t(`action.${action}`)}
              </th>
            ))}
            <th scope="col">{t("matrix.row")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row">
                {row.title}
                <small>{t(`module.${row.slug}`)}</small>
              </th>
              {shownActions.map((action) => (
                <td key={action}>
                  {isUsed(row.id, action) ? (
                    <span
                      className="matrix-cell"
                      data-changed={changed.has(`${String(row.id)}:${action}`) ? "" : undefined}
                    >
                      <input
                        type="checkbox"
                        className="checkbox"
                        aria-label={`${row.title}: ${t(`action.${action}`)}`}
                        checked={has(rules, row.id, action)}
                        disabled={isReadOnly}
                        onFocus={() => onTick({ module: row.id, action })}
                        onChange={(event) => {
                          onTick({ module: row.id, action });
                          onRules(
                            withTick(rules, { module: row.id, action, isOn: event.currentTarget.checked }),
                          );
                        }}
                      />
                    </span>
                  ) : (
                    <span className="matrix-none">—</span>
                  )}
                </td>
              ))}
              <td>
                <WholeRow row={row} rules={rules} isReadOnly={isReadOnly} onRules={onRules} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <footer>
        <span className="matrix-legend">{t("matrix.changed")}</span>
        <span>{t("matrix.all")}</span>
        <span className="matrix-keys">{t("matrix.keys")}</span>
      </footer>
    </div>
  );
}

/** All actions of a module, or none. */
function WholeRow({
  row,
  rules,
  isReadOnly,
  onRules,
}: Pick<Props, "rules" | "isReadOnly" | "onRules"> & { readonly row: ModuleRow }) {
  const { t } = useTranslation("users");
  const possible = shownActions.filter((action) => isUsed(row.id, action));
  const given = possible.filter((action) => has(rules, row.id, action));
  const isWhole = given.length === possible.length;
  return (
    <input
      type="checkbox"
      className="checkbox"
      aria-label={`${row.title}: ${t("matrix.row")}`}
      checked={isWhole}
      ref={(box) => {
        if (box) box.indeterminate = given.length > 0 && !isWhole;
      }}
      disabled={isReadOnly}
      onChange={() => onRules(withRow(rules, row.id, isWhole ? [] : possible))}
    />
  );
}

const steps: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** The next box in the direction of the key; empty cells are skipped. */
function nextBox(table: HTMLTableElement | null, event: KeyboardEvent): HTMLInputElement | null {
  const step = steps[event.key];
  const cell = event.target instanceof Element ? event.target.closest("td") : null;
  const row = cell?.closest("tr");
  if (!step || !cell || !row || !table) return null;
  const body = [...(table.tBodies[0]?.rows ?? [])];
  let [at, column] = [body.indexOf(row) + step[0], cell.cellIndex + step[1]];
  while (body[at]?.cells[column] && column > 0) {
    const box = body[at]?.cells[column]?.querySelector("input");
    if (box) return box;
    [at, column] = [at + step[0], column + step[1]];
  }
  return null;
}
