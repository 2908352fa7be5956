import type { TFunction } from "i18next";
import { alert } from "#ui/dialog";

/** What browsers offer that install a page as an app by themselves. */
interface Offer extends Event {
  readonly prompt: () => Promise<unknown>;
}

let offer: Offer | null = null;

const isOffer = (event: Event): event is Offer => "prompt" in event;

addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  if (isOffer(event)) offer = event;
});

/** Installs the app where the browser can do it for us; else says where its menu does. */
export async function installApp(t: TFunction<"auth">): Promise<void> {
  if (offer === null) return alert({ title: t("app.title"), text: t("app.how") });
  const made = offer;
  // It may be asked once.
  offer = null;
  await made.prompt();
}
