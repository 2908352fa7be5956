import { accessGroups, type ListedGroup, type Member } from "@metrum/contract/access";
import { Suspense, useState } from "react";
import { lazily } from "#lib/load";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { useAllowed, useSession } from "#lib/session";
import { Button } from "#ui/button";
import { ListView, useList } from "#ui/list";
import { memberList } from "./memberList.tsx";

const UserDialog = lazily(async () => ({ default: (await import("./UserDialog.tsx")).UserDialog }));

const noGroups: readonly ListedGroup[] = [];
const everyGroup = { body: { paginate: false } };

/** The list of users with the invitation button, and the form of one. */
export function UserList() {
  const { t } = useTranslation("users");
  const { user } = useSession();
  const groups =
    useCall(accessGroups.list, everyGroup, { isQuiet: true, freshMs: 60_000 }).data?.access_groups ??
    noGroups;
  const [edited, setEdited] = useState<Member | "new" | null>(null);
  const mayInvite = useAllowed("1:create");
  const mayChange = useAllowed("1:update");
  const mayDelete = useAllowed("1:delete");
  const own = { ownId: user.id, mayInvite, mayChange, mayDelete, groups, onEdit: setEdited };
  const list = useList(memberList, own);
  return (
    <>
      <ListView
        list={list}
        tools={
          mayInvite ? (
            <Button kind="primary" icon="plus" onClick={() => setEdited("new")}>
              {t("invite.open")}
            </Button>
          ) : null
        }
      />
      {edited === null ? null : (
        <Suspense>
          <UserDialog
            key={edited === "new" ? "new" : edited.id}
            member={edited === "new" ? null : edited}
            groups={groups}
            onClose={() => setEdited(null)}
          />
        </Suspense>
      )}
    </>
  );
}
