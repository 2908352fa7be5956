import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "#lib/call";
import { Button } from "#ui/button";
import { alert } from "#ui/dialog";
import type { Proof } from "./proof.ts";
import { leaveForProvider, takeReturned } from "./provider.ts";
import type { SiteOffer } from "./siteOffer.ts";

interface Props {
  readonly directories: SiteOffer["directories"];
  /** The typed password is checked by the directory. */
  readonly onPassword: () => void;
  readonly onProof: (proof: Proof) => void;
}

/** Sign-in through the directory of the company, if this installation has one. */
export default function Directories({ directories, onPassword, onProof }: Props) {
  const { t } = useTranslation("additions");
  const tell = (text: string) => void alert({ title: t("auth:failed"), text });
  const comeBack = useEffectEvent(() => {
    const returned = takeReturned();
    if (returned === "refused") tell(t("directory.refused"));
    else if (returned !== null) onProof({ kind: "provider", returned });
  });
  useEffect(() => comeBack(), []);
  const leave = () =>
    leaveForProvider().catch((error: unknown) => {
      tell((error instanceof ApiError ? error.msg : null) ?? t("common:error.offline"));
    });
  const ways = {
    ldap: onPassword,
    kerberos: () => onProof({ kind: "kerberos" }),
    oidc: () => void leave(),
  };
  return (
    <div className="login-directories">
      {directories.map((each) => (
        <Button key={each} isWide size="large" onClick={ways[each]}>
          {t(`directory.${each}`)}
        </Button>
      ))}
    </div>
  );
}
