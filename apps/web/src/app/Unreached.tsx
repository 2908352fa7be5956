import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { BrandMark } from "#ui/brand";
import { ErrorState } from "#ui/states";
import { takeReturn } from "./address.ts";

/** The shell has nobody to ask. The session is kept: as soon as somebody answers, what was asked for opens. */
export function Unreached() {
  const { t } = useTranslation("common");
  const navigate = useNavigate();
  const again = () => void navigate({ href: takeReturn(), replace: true });
  useEffect(() => {
    addEventListener("online", again);
    return () => removeEventListener("online", again);
  });
  return (
    <main className="alone">
      <BrandMark size={32} />
      <ErrorState title={t("crash.offline")} onRetry={again} />
    </main>
  );
}
