import type { Domain } from "#core";
import { serveAccessGroups, serveMembers, serveUsers } from "./calls.ts";

export { askAddressProof } from "./addressProof.ts";
export { ownUser } from "./calls.ts";
export { createFirstAdmin, oneTimePassword } from "./firstAdmin.ts";
export { demoPassword, seedAccounts } from "./demo.ts";
export { accountLetters, firstPassword, passwordChanged } from "./letters.ts";
export { manageableUser } from "./members.ts";
export { checkPassword, type PasswordProblem } from "./passwordRule.ts";
export { hashPassword, isPassword, registerInTurn } from "./passwords.ts";
export { usersById } from "./shown.ts";
export { changeAccount, type AccountChange } from "./ownAccount.ts";
export {
  accountById,
  accountOf,
  anyAccount,
  createUser,
  isAddressTaken,
  noteSignIn,
  openAccount,
  ownAccount,
  releaseAddress,
  type UserRow,
} from "./store.ts";
export {
  tieMany,
  tieToObject,
  tieUsers,
  untieFromObject,
  untieUsers,
  usersTiedTo,
  usersTiedToObject,
} from "./tieStore.ts";
export { refuseUntied } from "./untied.ts";

export const users: Domain = {
  name: "users",
  calls: (api) => {
    serveUsers(api);
    serveMembers(api);
    serveAccessGroups(api);
  },
};
