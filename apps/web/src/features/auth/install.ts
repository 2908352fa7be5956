import type { TFunction } from "i18next";
import { alert } from "#ui/dialog";

/** Event of browsers that can install a page as an app. */
interface Offer extends Event {
  readonly prompt: () => Promise<unknown>;
}

let offer: Offer | null = null;

const isOffer = (event: Event): event is Offer => "prompt" in event;

addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  if (isOffer(event)) offer = event;
});

/** Installs the app if the browser supports it; else shows where its menu does. */
export async function installApp(t: TFunction<"auth">): Promise<void> {
  if (offer === null) return alert({ title: t("app.title"), text: t("app.how") });
  const made = offer;
  // The prompt can be used once.
  offer = null;
  await made.prompt();
}
