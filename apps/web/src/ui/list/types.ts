import type { Call, FileColumn, InputOf, ListViewRow, ReplyOf, ViewedList } from "@metrum/contract/core";
import type { TFunction } from "i18next";
import type { ReactNode } from "react";
import type { CallOptions } from "#lib/call";
import type { Language } from "@metrum/vocabulary";
import type { GridColumn, GridDefaults, GridState, SortValue } from "#ui/grid";

export interface BuiltInView {
  /** Key of its title: `builtIn.<id>` of the texts of views. */
  readonly id: string;
  readonly state: ListViewRow["state"];
}

/** Context of cells, filters and phone lines, independent of the list. */
export interface Words {
  readonly t: TFunction;
  readonly number: (value: number, decimals?: number) => string;
  readonly age: (seconds: number) => string;
  readonly language: Language;
  /** Zone of the user. */
  readonly zone: string;
}

/** Fields of a row of an answer, up to the second level: "gateway.name". */
export type PathOf<Row> = {
  [Name in keyof Row & string]:
    | Name
    | (NonNullable<Row[Name]> extends readonly unknown[]
        ? never
        : NonNullable<Row[Name]> extends object
          ? `${Name}.${keyof NonNullable<Row[Name]> & string}`
          : never);
}[keyof Row & string];

/**
 * What a column writes to a file: the first of these fields that has a value. The server writes the file, so
 * it is data and not a function.
 */
export interface FileOf<Path extends string, Context> extends Pick<FileColumn, "shows"> {
  readonly of: Path | readonly Path[];
  readonly words?: (context: Words & Context) => Readonly<Record<string, string>>;
  /** Key of its title, if it is not that of the column. */
  readonly title?: string;
}

export interface ListColumn<Row, Context> extends Pick<GridColumn<Row>, "id" | "width"> {
  /** Key of its title in the texts of the list. */
  readonly title: string;
  readonly align: "left" | "right" | undefined;
  readonly sort: string | undefined;
  /** It names the row: always visible, and pinned when scrolling sideways. */
  readonly isName: boolean;
  readonly isOptional: boolean;
  readonly isShown: ((context: Words & Context) => boolean) | undefined;
  readonly cell: (row: Row, context: Words & Context) => ReactNode;
  readonly value: ((row: Row, context: Words & Context) => SortValue) | undefined;
  /** Columns of a file in its place; none for buttons. */
  readonly files: readonly FileOf<string, Context>[];
}

export interface FilterProps<Context> {
  readonly state: GridState;
  readonly change: (next: Partial<GridState>) => void;
  /** Sets one filter; undefined removes it. */
  readonly put: (id: string, values: readonly string[]) => void;
  readonly context: Words & Context;
  readonly total: number | undefined;
}

/** A filter in the bar above the list; its value is kept in the address. */
export interface ListFilter<Context> {
  /** Names in the address, as `f.<id>`; the search has its own. */
  readonly ids: readonly string[];
  readonly Draw: (props: FilterProps<Context>) => ReactNode;
}

export interface Answer<Row> {
  readonly rows: readonly Row[];
  /** Rows of the whole list; without it the answer is the list, and there is no paging. */
  readonly total?: number;
}

/** How the rows of a list are shown and filtered. */
export interface ListShape<Row extends object, Context> {
  /**
   * Name under which sort, page size, columns and widths are stored for the user, and views of the list;
   * without it they are not stored.
   */
  readonly key?: ViewedList;
  /** Views that every user has, before those saved. */
  readonly builtIn?: readonly BuiltInView[];
  /** Text files; titles come from the first. */
  readonly texts: readonly string[];
  /** Key of the accessible name of the table. */
  readonly label: string;
  readonly rowKey: (row: Row) => string;
  readonly rowClass?: (row: Row) => string;
  /** Target of a row: a double click, Enter, and the whole row of a phone. */
  readonly href?: (row: Row) => string;
  readonly open?: (row: Row, context: Words & Context) => void;
  readonly columns: readonly ListColumn<Row, Context>[];
  readonly hasChooser?: boolean;
  readonly filters?: readonly ListFilter<Context>[];
  /** The labels of the filters are above them. */
  readonly hasLabels?: boolean;
  /** Filtered only by the address. */
  readonly addressed?: readonly string[];
  /** Key of the text with the number of results, while the list is filtered. */
  readonly found?: string;
  readonly sort?: GridDefaults["sort"];
  readonly size?: number;
  readonly sizes?: readonly number[];
  /** Key of the text for a list without any entry. */
  readonly empty: string;
  readonly phone: (row: Row, context: Words & Context) => ReactNode;
  readonly expand?: (row: Row, context: Words & Context) => ReactNode;
}

/** And its call. */
export interface ListOptions<C extends Call, Row extends object, Context> extends ListShape<Row, Context> {
  readonly call: C;
  readonly input: (state: GridState, zone: string) => InputOf<C>;
  readonly answer: (reply: ReplyOf<C>, state: GridState) => Answer<Row>;
  readonly asks?: CallOptions;
}

export interface Shape<Row extends object, Context> extends ListShape<Row, Context> {
  readonly defaults: GridDefaults;
}

export interface List<C extends Call, Row extends object, Context> extends ListOptions<C, Row, Context> {
  readonly defaults: GridDefaults;
}
