import type { Member } from "@metrum/contract";
import { Status } from "#ui/status";
import { groupOf, Initials, lastSignIn, type UserContext } from "./userColumns.tsx";
import { UserMenu } from "./UserMenu.tsx";
import { stateKinds, stateOf } from "./users.ts";

/** Two lines of a phone: name and state, group and last sign-in. */
export function UserPhoneRow({ row, context }: { readonly row: Member; readonly context: UserContext }) {
  const { t } = context;
  const state = stateOf(row);
  return (
    <span className="user-phone">
      <Initials name={row.name} />
      <span className="user-phone-name">{row.name}</span>
      <Status kind={stateKinds[state]}>{t(`state.${state}`)}</Status>
      <span className="user-phone-group">{groupOf(row, t)}</span>
      <span className="user-phone-at">{lastSignIn(row, context)}</span>
      <UserMenu row={row} context={context} />
    </span>
  );
}
