import { lazy, Suspense, useCallback, useMemo, useState, type KeyboardEvent, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useFormat, useNow } from "#lib/format";
import { useSession } from "#lib/session";
import { Button, buttonClass } from "#ui/button";
import { Segmented } from "#ui/field";
import { ColumnChooser, Grid, shownColumns, useListProps, useListState, type GridState } from "#ui/grid";
import { SearchBox } from "#ui/search";
import { snack } from "#ui/snackbar";
import { DeniedState } from "#ui/states";
import { StatusGlyph } from "#ui/status";
import { ActiveSwitch } from "./ActiveSwitch.tsx";
import { isTree, listDefaults, stateOf, type TreeRow } from "./companies.ts";
import { companyColumns } from "./companyColumns.tsx";
import { CompanyMenu } from "./CompanyMenu.tsx";
import { CompanyPhoneRow } from "./CompanyPhoneRow.tsx";
import "./companies.css";
import { useCompanyActions } from "./useCompanyActions.ts";
import { useCompanyTree } from "./useCompanyTree.ts";

const CompanyDialog = lazy(async () => ({
  default: (await import("./CompanyDialog.tsx")).CompanyDialog,
}));

const rowKey = ({ company }: TreeRow) => String(company.id);
const rowClass = ({ company }: TreeRow) => (company.is_active ? "" : "is-off");

/** Only dealers have companies below them. */
export function CompaniesPage() {
  const { t } = useTranslation("shell");
  const { company } = useSession();
  return company.is_dealer ? (
    <Companies />
  ) : (
    <DeniedState>
      <a className={buttonClass()} href="#/cloud">
        {t("withoutAccess.toCloud")}
      </a>
    </DeniedState>
  );
}

/** Companies below the own one: a tree while nothing narrows it. Search, state, sorting and paging live in the address. */
function Companies() {
  const { t } = useTranslation("companies");
  const { number, language } = useFormat();
  const { zone, company: own } = useSession();
  const now = useNow();
  const list = useListState("companies", listDefaults);
  const { state, change, remember } = list;
  const { query, rows, toggle, total, states } = useCompanyTree(state);
  const { actions, editing, add, close } = useCompanyActions(rows);

  const columns = useMemo(
    () => [
      ...companyColumns({ t, number, zone, now, onToggle: toggle }),
      {
        id: "active",
        title: t("column.active"),
        width: 72,
        cell: (row: TreeRow) => <ActiveSwitch row={row} onToggle={actions.toggle} />,
      },
      {
        id: "actions",
        title: "",
        width: 56,
        cell: (row: TreeRow) => <CompanyMenu row={row} actions={actions} />,
      },
    ],
    [t, number, zone, now, toggle, actions],
  );
  const shown = useMemo(() => shownColumns(columns, state.cols), [columns, state.cols]);
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rowAt(event, rows);
    if (row === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const opens = event.key === "ArrowRight" && row.isOpen === false;
    const closes = event.key === "ArrowLeft" && row.isOpen === true;
    const edit = event.code === "KeyE" && !row.isOwn ? actions.edit : undefined;
    if (!opens && !closes && !edit) return;
    event.preventDefault();
    event.stopPropagation();
    if (edit) edit(row);
    else toggle(row);
  };
  const onShown = (cols: readonly string[] | null) => {
    remember({ cols: cols ?? undefined });
    change({ cols, page: state.page });
  };
  const save = async (): Promise<void> => {
    const { saveCompanies } = await import("./saveCompanies.ts");
    const wanted = { name: t("title"), state, columns, shown, ownId: own.id, language };
    snack(t("saved", { count: await saveCompanies(wanted) }));
  };
  const listProps = useListProps(list, query, total);
  const ownDevices = rows.find(({ isOwn }) => isOwn)?.company.device_count;
  return (
    <section className="companies">
      <Head states={states} devices={ownDevices} onSave={save} onAdd={add} />
      <Bar
        state={state}
        states={states}
        change={change}
        chooser={<ColumnChooser columns={columns} shown={shown} onShown={onShown} />}
      />
      <div className="companies-table" onKeyDownCapture={onKeyDown}>
        <Grid
          label={t("list")}
          columns={columns}
          shown={shown}
          {...listProps}
          rows={rows}
          rowKey={rowKey}
          rowClass={rowClass}
          empty={t("empty")}
          onOpen={(row) => (row.isOwn || row.company.deleted_at !== null ? undefined : actions.enter(row))}
          phoneRow={(row) => (
            <CompanyPhoneRow
              {...{ row, t, now, number }}
              onToggle={toggle}
              menu={<CompanyMenu row={row} actions={actions} />}
            />
          )}
          // Rows come and go by what one does here, so none of them waits.
          listKey={`${listProps.listKey} ${String(rows.length)}`}
          footNote={t("note")}
        />
      </div>
      <Legend />
      {editing ? (
        <Suspense fallback={null}>
          <CompanyDialog {...editing} now={now} onClose={close} />
        </Suspense>
      ) : null}
    </section>
  );
}

type States = ReturnType<typeof useCompanyTree>["states"];

interface HeadProps {
  readonly states: States;
  /** Devices of the whole branch; unknown while the list is narrowed. */
  readonly devices: number | undefined;
  readonly onSave: () => Promise<void>;
  readonly onAdd: (() => void) | undefined;
}

function Head({ states, devices, onSave, onAdd }: HeadProps) {
  const { t } = useTranslation("companies");
  const { number } = useFormat();
  const [isSaving, setSaving] = useState(false);
  const facts = [
    states ? t("facts", { count: states.all, shown: number(states.all, 0) }) : null,
    devices === undefined ? null : t("deviceCount", { count: devices, shown: number(devices, 0) }),
  ];
  const save = () => {
    setSaving(true);
    // What failed has been told by the call.
    void onSave()
      .catch(() => undefined)
      .finally(() => setSaving(false));
  };
  return (
    <header className="companies-head">
      <h1>{t("title")}</h1>
      <p>{facts.filter((each) => each !== null).join(", ")}</p>
      <span className="companies-save">
        <Button icon="download" isBusy={isSaving} onClick={save}>
          {t("save")}
        </Button>
      </span>
      {onAdd ? (
        <Button kind="primary" icon="plus" onClick={onAdd}>
          {t("add")}
        </Button>
      ) : null}
    </header>
  );
}

/** What the shapes of the term mean. */
function Legend() {
  const { t } = useTranslation("companies");
  const marks = [
    { id: "soon", kind: "warn", isWeak: true },
    { id: "now", kind: "warn", isWeak: false },
    { id: "expired", kind: "alarm", isWeak: false },
    { id: "off", kind: "off", isWeak: false },
  ] as const;
  return (
    <ul className="companies-legend" aria-label={t("legend.title")}>
      {marks.map(({ id, kind, isWeak }) => (
        <li key={id}>
          <StatusGlyph kind={kind} isWeak={isWeak} />
          {t(`legend.${id}`)}
        </li>
      ))}
    </ul>
  );
}

interface BarProps {
  readonly state: GridState;
  readonly states: States;
  readonly change: (next: Partial<GridState>) => void;
  readonly chooser: ReactNode;
}

/** Search, states with their counts, tree or list. */
function Bar({ state, states, change, chooser }: BarProps) {
  const { t } = useTranslation("companies");
  const { access } = useSession();
  const kinds = ["ending", "expired", "off", "demo", ...(access.is_platform ? ["deleted"] : [])];
  const counts: Readonly<Record<string, number>> = states ?? {};
  const only = (value: string) => ({ ...state.filters, state: value === "all" ? [] : [value] });
  return (
    <div className="companies-bar">
      <SearchBox
        label={t("search")}
        value={state.q}
        onSearch={useCallback((q: string) => change({ q }), [change])}
      />
      <Segmented
        name="state"
        label={t("states")}
        value={stateOf(state) ?? "all"}
        onValue={(value) => change({ filters: only(value) })}
        options={["all", ...kinds].map((value) => ({
          value,
          title: `${t(`state.${value}`)} ${String(counts[value] ?? "")}`,
        }))}
      />
      <span className="companies-views">
        <Segmented
          name="view"
          label={t("views")}
          value={isTree(state) ? "tree" : "list"}
          onValue={(value) => change({ q: "", filters: { view: value === "list" ? ["list"] : [] } })}
          options={[
            { value: "tree", title: t("view.tree") },
            { value: "list", title: t("view.list") },
          ]}
        />
        {chooser}
      </span>
    </div>
  );
}

/** The line that has the focus itself, not a control in it. */
function rowAt({ target }: KeyboardEvent, rows: readonly TreeRow[]): TreeRow | undefined {
  if (!(target instanceof HTMLElement) || target.getAttribute("role") !== "row") return undefined;
  return rows[Number(target.dataset["index"])];
}
