import { useNavigate, useSearch } from "@tanstack/react-router";
import { accessGroups, users } from "@metrum/contract/access";
import { useTranslation } from "react-i18next";
import { exchange, ignoreFailure, reasonOf, refetch, useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { useSession } from "#lib/session";
import { Button, IconButton } from "#ui/button";
import { askText } from "#ui/dialog";
import { Skeleton } from "#ui/skeleton";
import { snack } from "#ui/snackbar";
import { Boundary, EmptyState, ErrorState } from "#ui/states";
import { GroupEditor } from "./GroupEditor.tsx";
import { openModules, withAdministrators } from "./rights.ts";
import "./groups.css";
import "./groupMatrix.css";

const everyGroup = { body: { paginate: false } };
const admins = { body: { is_admin: true, page: 1, per_page: 1 } };

/**
 * The groups of the company on the left, the rights of the selected one on the right; the address names it.
 */
export function GroupsView() {
  const { t } = useTranslation("users");
  const { number } = useFormat();
  const { access } = useSession();
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const query = useCall(accessGroups.list, everyGroup, { isQuiet: true });
  const adminCount = useCall(users.list, admins, { isQuiet: true }).data?.total;
  const groups = query.data?.access_groups ?? [];
  const selectedId = Number(search["group"]);
  const current = groups.find((each) => each.id === selectedId) ?? groups[0];
  const select = (id: number) => navigate({ to: ".", search: { tab: "groups", group: id } });
  const create = async () => {
    const name = await askText({
      title: t("group.create"),
      label: t("group.name"),
      minLength: 1,
      maxLength: 100,
      validate: (value) => (groups.some((each) => each.name === value) ? t("group.taken") : null),
      action: t("group.createAction"),
    });
    if (name === null) return;
    const made = await exchange(accessGroups.create, { body: { name, access_rules: {} } }).catch(
      ignoreFailure,
    );
    if (!made) return;
    snack(made.msg);
    await refetch(accessGroups.list);
    await select(made.data.access_group.id);
  };
  if (query.isPending)
    return (
      <div className="groups" aria-busy="true">
        <Skeleton height={360} />
        <Skeleton height={420} />
      </div>
    );
  if (query.isError && !query.data)
    return (
      <ErrorState
        title={t("group.failed")}
        message={reasonOf(query.error)}
        onRetry={() => void query.refetch()}
      />
    );
  return (
    <div className="groups" data-open={search["group"] === undefined ? undefined : ""}>
      <nav className="groups-list" aria-label={t("groups")}>
        <header>
          <h2>{t("groups")}</h2>
          <span>{number(withAdministrators(groups.length), 0)}</span>
          {access.is_admin ? (
            <IconButton icon="plus" size="small" label={t("group.create")} onClick={() => void create()} />
          ) : null}
        </header>
        <ul>
          <li>
            <a className="groups-entry" href="#/cloud/users?f.group=admin">
              <strong>{t("administrators")}</strong>
              <small>{t("group.everything")}</small>
              <span>{adminCount === undefined ? "" : number(adminCount, 0)}</span>
            </a>
          </li>
          {groups.map((each) => (
            <li key={each.id}>
              <a
                className="groups-entry"
                href={`#/cloud/users?tab=groups&group=${String(each.id)}`}
                aria-current={each.id === current?.id ? "page" : undefined}
              >
                <strong>{each.name}</strong>
                <small>{t("group.modules", { count: openModules(each.access_rules) })}</small>
                <span>{number(each.users_count, 0)}</span>
              </a>
            </li>
          ))}
        </ul>
        <p>{t("group.lastAdmin")}</p>
      </nav>
      <div className="groups-page">
        {current === undefined ? (
          <EmptyState title={t("group.none")} text={t("group.noneText")}>
            {access.is_admin ? (
              <Button kind="primary" icon="plus" onClick={() => void create()}>
                {t("group.create")}
              </Button>
            ) : undefined}
          </EmptyState>
        ) : (
          <Boundary resetKey={String(current.id)}>
            <GroupEditor key={current.id} group={current} />
          </Boundary>
        )}
      </div>
    </div>
  );
}
