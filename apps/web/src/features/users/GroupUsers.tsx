import { users, type ListedGroup } from "@metrum/contract/access";
import { useTranslation } from "react-i18next";
import { reasonOf, useCall } from "#lib/call";
import { formatDateTime, useFormat } from "#lib/format";
import { useSession } from "#lib/session";
import { ErrorState } from "#ui/states";
import { Initials } from "./Initials.tsx";

const shownUsers = 6;

/** Members of the group; all of them are one click away. */
export function GroupUsers({ group }: { readonly group: ListedGroup }) {
  const { t } = useTranslation("users");
  const { number } = useFormat();
  const { zone } = useSession();
  const body = { access_group_id: [group.id], page: 1, per_page: 10 };
  const query = useCall(users.list, { body }, { isQuiet: true, isEnabled: group.users_count > 0 });
  return (
    <section className="panel group-users">
      <header>
        <h3>
          {t("groupUsers.title")} <small>{number(group.users_count, 0)}</small>
        </h3>
        {group.users_count > 0 ? (
          <a href={`#/cloud/users?f.group=${String(group.id)}`}>{t("groupUsers.all")}</a>
        ) : null}
      </header>
      {query.isError ? (
        <ErrorState
          title={t("groupUsers.failed")}
          message={reasonOf(query.error)}
          onRetry={() => void query.refetch()}
        />
      ) : null}
      {group.users_count === 0 ? <p>{t("groupUsers.none")}</p> : null}
      <ul>
        {query.data?.users.slice(0, shownUsers).map((row) => (
          <li key={row.id}>
            <Initials name={row.name} />
            <span>
              <b>{row.name}</b> {row.email}
            </span>
            <time>{row.last_sign_in_at === null ? "—" : formatDateTime(row.last_sign_in_at, zone)}</time>
          </li>
        ))}
      </ul>
    </section>
  );
}
