import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { reloadAt } from "#lib/token";
import { BrandMark } from "#ui/brand";
import { ErrorState } from "#ui/states";
import { takeReturn } from "./address.ts";
import { whenReady } from "./whenReady.ts";

const again = () => reloadAt(`#${takeReturn()}`);

/**
 * The server is not reachable. The session is kept: as soon as the server answers, the requested screen
 * opens.
 */
export function Unreached() {
  const { t } = useTranslation("common");
  useEffect(() => whenReady(again), []);
  return (
    <main className="alone">
      <BrandMark size={32} />
      <ErrorState title={t("crash.offline")} onRetry={again} />
    </main>
  );
}
