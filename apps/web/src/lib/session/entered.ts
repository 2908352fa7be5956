import { auth } from "@metrum/contract/access";
import { send } from "#lib/call";
import { reloadAt, returnFromEntered, startSession } from "#lib/token";

/**
 * Leaves the entered company or account: a company below one's own for the list of companies, one entered
 * from the administration for that page. The page is reloaded. Errors: ApiError, which the snackbar shows.
 */
export async function leaveEntered(): Promise<void> {
  const { access_token } = await send(auth.exitCompany, { body: { exit_point: "/cloud/companies" } });
  if (access_token !== null) {
    startSession(access_token);
    reloadAt("#/cloud/companies");
  } else if (!returnFromEntered()) reloadAt("#/cloud");
}
