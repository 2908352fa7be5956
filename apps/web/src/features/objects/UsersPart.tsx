import { users } from "@metrum/contract/access";
import { objectTies, type TreeObject } from "@metrum/contract/accounting";
import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { exchange, reasonOf, useCall } from "#lib/call";
import { useAllowed } from "#lib/session";
import { Button, IconButton } from "#ui/button";
import { change } from "#ui/change";
import { SearchBox } from "#ui/search";
import { Skeleton } from "#ui/skeleton";
import { EmptyState, ErrorState } from "#ui/states";
import { refreshed } from "./objects.ts";
import { isPermitted } from "./permitted.ts";

const shown = 20;

/** Users tied to a node; others are found and tied one by one. */
export function UsersPart({ node }: { readonly node: TreeObject }) {
  const { t } = useTranslation("objects");
  const mayTie = useAllowed("(6:update|6:access_all)&(1:read|6:read)");
  const [search, setSearch] = useState("");
  const find = useCallback((text: string) => setSearch(text.trim()), []);
  const tied = useCall(objectTies.users, { body: { object_id: node._id } }, { isQuiet: true });
  const found = useCall(
    users.list,
    { body: { page: 1, per_page: 25, search_string: search } },
    { isQuiet: true, keepsPrevious: true, isEnabled: mayTie && search !== "" },
  );
  const params = { id: node._id };
  const set = async (definition: typeof objectTies.tieUser, user_id: number) => {
    if (isPermitted(definition))
      await change(() => exchange(definition, { params, body: { user_id } }), { refreshed });
  };
  const list = tied.data?.users;
  const others = (found.data?.users ?? []).filter(({ id }) => !list?.some((each) => each.id === id));
  return (
    <section className="objects-placed">
      <p>{t("users.text")}</p>
      {mayTie ? (
        <header>
          <SearchBox label={t("users.search")} value={search} onSearch={find} size="m" />
        </header>
      ) : null}
      {search === "" ? null : (
        <ul aria-label={t("users.found")}>
          {others.slice(0, shown).map(({ id, name, email }) => (
            <li key={id}>
              <span>{name}</span>
              <small>{email}</small>
              <Button size="small" icon="plus" onClick={() => void set(objectTies.tieUser, id)}>
                {t("users.tie")}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {tied.error && !list ? (
        <ErrorState title={t("failed")} message={reasonOf(tied.error)} onRetry={() => void tied.refetch()} />
      ) : !list ? (
        <Skeleton height={120} />
      ) : list.length === 0 ? (
        <EmptyState title={t("users.none")} />
      ) : (
        <ul aria-label={t("tab.users")}>
          {list.map(({ id, name, email }) => (
            <li key={id}>
              <span>{name}</span>
              <small>{email}</small>
              {mayTie ? (
                <IconButton
                  icon="close"
                  size="small"
                  label={t("users.untie", { name })}
                  onClick={() => void set(objectTies.untieUser, id)}
                />
              ) : null}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
