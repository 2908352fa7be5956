import type { Challenge } from "@metrum/contract/access";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "#ui/button";
import { Field } from "#ui/field";
import { StatusGlyph } from "#ui/status";
import "./captcha.css";
import type { Captcha } from "./captcha.ts";
import { useWork } from "./useWork.ts";

interface Props {
  readonly captcha: Captcha | "failed" | null;
  readonly value: string;
  readonly error: string | undefined;
  readonly onValue: (value: string) => void;
  readonly onRenew: () => void;
}

/** An image to read or, for users who cannot, a proof of work by the browser. */
export default function CaptchaPanel({ captcha, value, error, onValue, onRenew }: Props) {
  const { t } = useTranslation("additions");
  const [isWorking, setWorking] = useState(false);
  const known = captcha === "failed" ? null : captcha;
  const renew = () => {
    onValue("");
    onRenew();
  };
  return (
    <div className="captcha">
      {isWorking ? (
        <Work challenge={known?.challenge ?? null} onDone={onValue} />
      ) : (
        <Field label={t("captcha.label")} error={error} isRequired>
          {(wired) => (
            <>
              <button
                type="button"
                className="captcha-image"
                aria-label={t("captcha.renew")}
                title={t("captcha.renew")}
                aria-busy={captcha === null}
                onClick={renew}
              >
                {captcha === "failed" ? t("captcha.failed") : null}
                {known === null ? null : (
                  <img src={known.image} alt={t("captcha.image")} width={196} height={56} />
                )}
              </button>
              <span className="input">
                <input
                  key={known?.key}
                  {...wired}
                  name="captcha"
                  type="text"
                  autoComplete="off"
                  autoCapitalize="none"
                  spellCheck={false}
                  maxLength={20}
                  autoFocus
                  value={value}
                  onChange={(event) => onValue(event.currentTarget.value)}
                />
              </span>
            </>
          )}
        </Field>
      )}
      <div className="captcha-ways">
        {isWorking ? null : (
          <Button kind="link" icon="refresh" onClick={renew}>
            {t("captcha.renew")}
          </Button>
        )}
        <Button
          kind="link"
          icon={isWorking ? "eye" : "eyeOff"}
          onClick={() => {
            onValue("");
            setWorking(!isWorking);
          }}
        >
          {t(isWorking ? "captcha.withImage" : "captcha.withoutImage")}
        </Button>
      </div>
    </div>
  );
}

/** Screen readers announce the progress at every quarter only. */
function Work({
  challenge,
  onDone,
}: {
  readonly challenge: Challenge | null;
  readonly onDone: (answer: string) => void;
}) {
  const { t } = useTranslation("additions");
  const share = useWork(challenge, onDone);
  const announced = Math.floor(share * 4) * 25;
  return (
    <div className="captcha-work">
      <p id="captcha-work">{t("captcha.work")}</p>
      <progress max={100} value={share * 100} aria-labelledby="captcha-work" />
      {share === 1 ? (
        <p>
          <StatusGlyph kind="ok" />
          {t("captcha.done")}
        </p>
      ) : (
        <p aria-hidden="true">{t("captcha.percent", { percent: Math.round(share * 100) })}</p>
      )}
      <span className="visually-hidden" role="status">
        {share === 1 ? t("captcha.done") : t("captcha.percent", { percent: announced })}
      </span>
    </div>
  );
}
