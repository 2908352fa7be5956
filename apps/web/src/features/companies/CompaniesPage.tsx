import { lazy, Suspense, useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { useFormat, useNow } from "#lib/format";
import { useSession } from "#lib/session";
import { Button, buttonClass } from "#ui/button";
import { Segmented } from "#ui/field";
import { shownColumns, useListState } from "#ui/grid";
import { ListView, useListOf } from "#ui/list";
import { snack } from "#ui/snackbar";
import { DeniedState } from "#ui/states";
import { StatusGlyph } from "#ui/status";
import { isTree, type States, type TreeRow } from "./companies.ts";
import { companyList } from "./companyList.tsx";
import "./companies.css";
import { useCompanyActions } from "./useCompanyActions.ts";
import { useCompanyTree } from "./useCompanyTree.ts";

const CompanyDialog = lazy(async () => ({
  default: (await import("./CompanyDialog.tsx")).CompanyDialog,
}));

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

/** Companies below one's own. Search, state, sorting and paging are kept in the address. */
function Companies() {
  const { t } = useTranslation("companies");
  const { language } = useFormat();
  const { access, company: own } = useSession();
  const now = useNow();
  const address = useListState(companyList.key, companyList.defaults);
  const { state, change } = address;
  const { query, rows, toggle, total, rowsAbove, states } = useCompanyTree(state);
  const { actions, editing, add, close } = useCompanyActions(rows);
  const context = { now, states, seesDeleted: access.is_platform, onToggle: toggle, actions };
  const list = useListOf(companyList, context, { address, query, answer: { rows, total } });
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
  const save = async (): Promise<void> => {
    const { saveCompanies } = await import("./saveCompanies.ts");
    const { columns } = list;
    const shown = shownColumns(columns, state.cols);
    const wanted = { name: t("title"), state, columns, shown, ownId: own.id, language };
    snack(t("saved", { count: await saveCompanies(wanted) }));
  };
  const ownDevices = rows.find(({ isOwn }) => isOwn)?.company.device_count;
  const tools = (
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
    </span>
  );
  return (
    <section className="companies list-page">
      <Head states={states} devices={ownDevices} onSave={save} onAdd={add} />
      <div className="companies-table" onKeyDownCapture={onKeyDown}>
        <ListView list={list} {...{ tools, rowsAbove }} footNote={t("note")} isImmediate />
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

interface HeadProps {
  readonly states: States | undefined;
  /** Devices of the whole branch; unknown while the list is filtered. */
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
    // The call has reported the failure.
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

/** Legend of the expiry shapes. */
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

/** The row that has the focus itself, not a control in it. */
function rowAt({ target }: KeyboardEvent, rows: readonly TreeRow[]): TreeRow | undefined {
  if (!(target instanceof HTMLElement) || target.getAttribute("role") !== "row") return undefined;
  return rows[Number(target.dataset["index"])];
}
