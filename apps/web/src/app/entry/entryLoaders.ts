import { registration } from "@metrum/contract/access";
import { shell } from "@metrum/contract/platform";
import { ApiError, request } from "#lib/call";
import { loadTexts } from "#lib/i18n";
import { say } from "#ui/snackbar";
import { loadSiteOffer } from "#auth";
import { leadTo } from "#lib/screen";

const texts = () => loadTexts("auth", "registration", "messages");

/** If registration is closed its address redirects to the sign-in, with the reason. */
export async function loadRegistration() {
  const [site, { data }] = await Promise.all([loadSiteOffer(), request(shell.siteProperties, {}), texts()]);
  if (!data.self_registration) {
    void say("registration_closed", {}, "error");
    leadTo("/auth/login");
  }
  return { site, usesRandomPasswords: data.use_random_password };
}

/** Activates at once; the screen shows the outcome. */
export async function loadActivation(token: string) {
  const [site, activation] = await Promise.all([loadSiteOffer(), activate(token), texts()]);
  return { site, activation };
}

async function activate(token: string) {
  try {
    const { msg } = await request(registration.activateByLetter, { body: { token } });
    return { isDone: true, msg };
  } catch (error) {
    return { isDone: false, msg: error instanceof ApiError ? error.msg : null };
  }
}

export async function loadForgot() {
  const [site] = await Promise.all([loadSiteOffer(), texts()]);
  return { site };
}

/** Reads the account of the token; an invalid one redirects to the sign-in. */
export async function loadReset(token: string) {
  try {
    const [site, { data }] = await Promise.all([
      loadSiteOffer(),
      request(registration.passwordFindByLetter, { body: { token } }),
      texts(),
    ]);
    return { site, token, email: data.email, minLength: data.password_min_length };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    void say(error.msg ?? "generic_http_error", {}, "error");
    return leadTo("/auth/login");
  }
}
