import type { Call, InputOf } from "@metrum/contract/core";
import type { TFunction } from "i18next";
import { useLayoutEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { useSession } from "#lib/session";
import { useListState, type GridColumn, type ListState } from "#ui/grid";
import type { Answer, List, ListColumn, ListOptions, ListShape, Shape, Words } from "./types.ts";

/** A list as data: its call, columns, filters and phone lines. `useList` runs it, `ListView` renders it. */
export function defineList<C extends Call, Row extends object, Context>(
  of: ListOptions<C, Row, Context>,
): List<C, Row, Context> {
  return { ...of, ...defineRows(of) };
}

/** A list with rows from another source; for `useListOf`. */
export function defineRows<Row extends object, Context>(of: ListShape<Row, Context>): Shape<Row, Context> {
  return {
    ...of,
    defaults: {
      sort: of.sort ?? null,
      size: of.size ?? 25,
      ...(of.sizes ? { sizes: of.sizes } : {}),
      sortFields: of.columns.flatMap(({ sort }) => sort ?? []),
      filters: [...(of.filters ?? []).flatMap(({ ids }) => ids), ...(of.addressed ?? [])],
    },
  };
}

type Query = ReturnType<typeof useCall<Call>>;

export interface SavedCall {
  readonly call: Call;
  readonly input: InputOf<Call>;
  /** Rows of the file, if they are not those of the list. */
  readonly total?: number | undefined;
}

export interface ListInUse<Row extends object, Context> extends Pick<
  ListOptions<Call, Row, Context>,
  | "key"
  | "builtIn"
  | "rowKey"
  | "rowClass"
  | "href"
  | "open"
  | "phone"
  | "expand"
  | "filters"
  | "addressed"
  | "found"
  | "hasChooser"
  | "hasLabels"
> {
  /** The call whose answer can be saved as a file, with the filter of the address. */
  readonly saved: SavedCall | undefined;
  readonly source: readonly ListColumn<Row, Context>[];
  readonly address: ListState;
  readonly context: Words & Context;
  readonly query: Pick<Query, "isPending" | "isPlaceholderData" | "data" | "error" | "refetch">;
  readonly rows: readonly Row[];
  readonly total: number | undefined;
  readonly columns: readonly GridColumn<Row>[];
  readonly label: string;
  readonly empty: string;
}

const nothing: readonly never[] = [];

/** Reads the address, makes the call, and returns the props for rendering. */
export function useList<C extends Call, Row extends object, Context extends object>(
  list: List<C, Row, Context>,
  own: Context,
) {
  const address = useListState(list.key, list.defaults);
  const { zone } = useSession();
  const { state } = address;
  const input = useMemo(() => list.input(state, zone), [list, state, zone]);
  const query = useCall(list.call, input, { keepsPrevious: true, isQuiet: true, ...list.asks });
  const { data } = query;
  const answer = useMemo(
    (): Answer<Row> | undefined => (data === undefined ? undefined : list.answer(data, state)),
    [list, data, state],
  );
  const saved = useMemo(() => ({ call: list.call, input }), [list.call, input]);
  return { ...useListOf(list, own, { address, query, answer, saved }), query, input };
}

interface Source<Row> {
  readonly address: ListState;
  readonly query: Pick<Query, "isPending" | "isPlaceholderData" | "data" | "error" | "refetch">;
  readonly answer: Answer<Row> | undefined;
  readonly saved?: SavedCall;
}

/** The same for rows from another source. */
export function useListOf<Row extends object, Context extends object>(
  list: Shape<Row, Context>,
  own: Context,
  { address, query, answer, saved }: Source<Row>,
): ListInUse<Row, Context> {
  const context = useWords(list.texts, own);
  const columns = useMemo(
    () => list.columns.filter((each) => each.isShown?.(context) ?? true).map((each) => drawn(each, context)),
    [list, context],
  );
  const { t } = context;
  return {
    ...list,
    address,
    context,
    query,
    columns,
    source: list.columns,
    saved: saved?.call.rows === undefined ? undefined : saved,
    rows: answer?.rows ?? nothing,
    total: answer?.total,
    label: t(list.label),
    empty: t(list.empty),
  };
}

function useWords<Context extends object>(texts: readonly string[], own: Context): Words & Context {
  const { t }: { readonly t: TFunction } = useTranslation(texts);
  const { number, age, language } = useFormat();
  const { zone } = useSession();
  const kept = useKept(own);
  return useMemo(() => ({ t, number, age, language, zone, ...kept }), [t, number, age, language, zone, kept]);
}

/** The same object while its values are equal: rows re-render when their context changes. */
function useKept<Value extends object>(value: Value): Value {
  const kept = useRef(value);
  const isSame = Object.entries(value).every(([key, each]) =>
    Object.is(Reflect.get(kept.current, key), each),
  );
  const current = isSame ? kept.current : value;
  useLayoutEffect(() => {
    kept.current = current;
  });
  return current;
}

function drawn<Row, Context>(
  { id, width, title, align, sort, isName, isOptional, cell, value }: ListColumn<Row, Context>,
  context: Words & Context,
): GridColumn<Row> {
  return {
    id,
    width,
    title: title === "" ? "" : context.t(title),
    ...(align ? { align } : {}),
    ...(sort ? { sortField: sort } : {}),
    ...(isName ? { isFixed: true, isSticky: true } : {}),
    isOptional,
    cell: (row) => cell(row, context),
    ...(value ? { value: (row: Row) => value(row, context) } : {}),
  };
}
