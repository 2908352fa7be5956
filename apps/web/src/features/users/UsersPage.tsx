import { useNavigate, useSearch } from "@tanstack/react-router";
import { accessGroups, users } from "@metrum/contract/access";
import { Suspense } from "react";
import { lazily } from "#lib/load";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { ListPage } from "#ui/list";
import { Tabs } from "#ui/tabs";
import { withAdministrators } from "./rights.ts";
import { UserList } from "./UserList.tsx";
import "./users.css";

const GroupsView = lazily(async () => ({ default: (await import("./GroupsView.tsx")).GroupsView }));

/** Users of the company and their access groups: two tabs of one address. */
export function UsersPage() {
  const { t } = useTranslation("users");
  const { number } = useFormat();
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const tab = search["tab"] === "groups" ? "groups" : "users";
  const quiet = { isQuiet: true, keepsPrevious: true };
  const people = useCall(users.list, { body: { page: 1, per_page: 1 } }, quiet).data?.total;
  const listed = useCall(accessGroups.list, { body: { page: 1, per_page: 1 } }, quiet).data?.total;
  const groups = listed === undefined ? undefined : withAdministrators(listed);
  const count = (value: number | undefined) => (value === undefined ? "" : number(value, 0));
  return (
    <ListPage className="users" title={t("title")}>
      <Tabs
        label={t("tabs")}
        items={[
          { id: "users", title: t("users"), count: count(people), href: "#/cloud/users" },
          { id: "groups", title: t("groups"), count: count(groups), href: "#/cloud/users?tab=groups" },
        ]}
        current={tab}
        onSelect={(id) => void navigate({ to: ".", search: id === "groups" ? { tab: "groups" } : {} })}
      />
      {tab === "users" ? (
        <UserList />
      ) : (
        <Suspense>
          <GroupsView />
        </Suspense>
      )}
    </ListPage>
  );
}
