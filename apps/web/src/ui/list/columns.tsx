import { useState, type ReactNode } from "react";
import { formatDateTime } from "#lib/format";
import type { SortValue } from "#ui/grid";
import { Status, type StatusKind } from "#ui/status";
import type { FileOf, ListColumn, PathOf, Words } from "./types.ts";
import { ignoreFailure } from "#lib/call";

interface ColumnLook<Context, Path extends string> {
  /** Key of the title, if it is not `column.<id>`. */
  readonly title?: string;
  /** Name that the server sorts by. */
  readonly sort?: string;
  readonly align?: "left" | "right";
  readonly isName?: boolean;
  readonly isOptional?: boolean;
  readonly isQuiet?: boolean;
  readonly isShown?: (context: Words & Context) => boolean;
  /** What it writes to a file: a field of the answer, or several columns instead. */
  readonly file?: Path | FileOf<Path, Context> | readonly FileOf<Path, Context>[];
}

interface Shown {
  readonly kind: StatusKind;
  readonly text: string;
}

interface Toggle<Row, Context> {
  readonly isOn: (row: Row) => boolean;
  readonly label: (row: Row, context: Words & Context) => string;
  readonly isDisabled: (row: Row, context: Words & Context) => boolean;
  /** Called before a change is shown. */
  readonly isSure?: (row: Row, isOn: boolean, context: Words & Context) => Promise<boolean>;
  readonly change: (row: Row, isOn: boolean) => Promise<unknown>;
}

const dash = "—";
type Text = string | null | undefined;

/** The kinds of columns of a list of such rows; those of its call differ if a screen composes its rows. */
export function columnsOf<Row, Context = object, Answered = Row>() {
  type Cell<Value> = (row: Row, context: Words & Context) => Value;
  type Look = ColumnLook<Context, PathOf<Answered>>;

  function cell(
    id: string,
    width: number,
    of: { readonly cell: Cell<ReactNode>; readonly value?: Cell<SortValue> },
    look: Look = {},
  ): ListColumn<Row, Context> {
    const { title, sort, align, isShown } = look;
    return {
      id,
      width,
      title: title ?? `column.${id}`,
      align,
      sort,
      isName: look.isName ?? false,
      isOptional: look.isOptional ?? false,
      isShown,
      cell: of.cell,
      value: of.value,
      files: filesOf(look.file),
    };
  }
  const text = (id: string, width: number, value: Cell<Text>, look: Look = {}) =>
    cell(id, width, { value, cell: (row, context) => worn(value(row, context) ?? dash, look) }, look);
  const number = (id: string, width: number, value: Cell<number>, look: Look = {}) =>
    cell(
      id,
      width,
      { value, cell: (row, context) => context.number(value(row, context), 0) },
      { align: "right", ...look },
    );
  /** A time in the zone of the user. */
  const at = (id: string, width: number, value: Cell<number | null>, look: Look = {}) =>
    text(
      id,
      width,
      (row, context) => {
        const moment = value(row, context);
        return moment === null ? null : formatDateTime(moment, context.zone);
      },
      { align: "right", ...look, ...(look.file === undefined ? {} : { file: timeOf(look.file) }) },
    );
  const status = (id: string, width: number, of: Cell<Shown>, look: Look = {}) =>
    cell(
      id,
      width,
      {
        value: (row, context) => of(row, context).text,
        cell: (row, context) => {
          const { kind, text: words } = of(row, context);
          return <Status kind={kind}>{words}</Status>;
        },
      },
      look,
    );
  const link = (
    id: string,
    width: number,
    of: { readonly text: Cell<Text>; readonly href: Cell<string | undefined> },
    look: Look = {},
  ) =>
    cell(
      id,
      width,
      {
        value: of.text,
        cell: (row, context) => {
          const href = of.href(row, context);
          const words = of.text(row, context) ?? dash;
          if (href === undefined) return words;
          return (
            <a className={look.isQuiet === true ? "quiet" : undefined} href={href}>
              {look.isName === true ? <b>{words}</b> : words}
            </a>
          );
        },
      },
      look,
    );
  const toggle = (id: string, width: number, of: Toggle<Row, Context>, look: Look = {}) =>
    cell(
      id,
      width,
      {
        value: of.isOn,
        cell: (row, context) => (
          <Switching
            isOn={of.isOn(row)}
            label={of.label(row, context)}
            isDisabled={of.isDisabled(row, context)}
            isSure={(isOn) => of.isSure?.(row, isOn, context) ?? Promise.resolve(true)}
            change={(isOn) => of.change(row, isOn)}
          />
        ),
      },
      { ...look, ...(typeof look.file === "string" ? { file: { of: look.file, words: yesNo } } : {}) },
    );
  const actions = (id: string, width: number, buttons: Cell<ReactNode>, look: Look = {}) =>
    cell(id, width, { cell: buttons }, { align: "right", ...look });
  return { cell, text, number, at, status, link, toggle, actions };
}

type FileLook<Path extends string, Context> = ColumnLook<Context, Path>["file"];

function filesOf<Path extends string, Context>(
  file: FileLook<Path, Context>,
): readonly FileOf<Path, Context>[] {
  if (file === undefined) return [];
  if (typeof file === "string") return [{ of: file }];
  return "of" in file ? [file] : file;
}

/** Words of a field that is true or false. */
export const yesNo = ({ t }: Words) => ({ true: t("grid:file.yes"), false: t("grid:file.no") });

/** A field of a column of times is a time. */
function timeOf<Path extends string, Context>(
  file: NonNullable<FileLook<Path, Context>>,
): NonNullable<FileLook<Path, Context>> {
  return typeof file === "string" ? { of: file, shows: "time" } : file;
}

function worn(text: string, look: { readonly isName?: boolean; readonly isQuiet?: boolean }): ReactNode {
  if (look.isName === true) return <b>{text}</b>;
  return look.isQuiet === true ? <span className="quiet">{text}</span> : text;
}

interface SwitchingProps {
  readonly isOn: boolean;
  readonly label: string;
  readonly isDisabled: boolean;
  readonly isSure: (isOn: boolean) => Promise<boolean>;
  readonly change: (isOn: boolean) => Promise<unknown>;
}

/**
 * Shown as pending at once, final only after the answer; a refusal, which the call itself reports, reverts
 * it.
 */
function Switching({ isOn, label, isDisabled, isSure, change }: SwitchingProps) {
  const [wanted, setWanted] = useState<boolean | null>(null);
  const shown = wanted ?? isOn;
  const turn = async () => {
    if (!(await isSure(!shown))) return;
    setWanted(!shown);
    await change(!shown).catch(ignoreFailure);
    setWanted(null);
  };
  return (
    <input
      type="checkbox"
      role="switch"
      className="switch"
      checked={shown}
      aria-label={label}
      aria-busy={wanted !== null || undefined}
      disabled={isDisabled || wanted !== null}
      onChange={() => void turn()}
    />
  );
}
