import { useEffect, useState } from "react";
import CaptchaPanel from "./CaptchaPanel.tsx";
import { askCaptcha, type Captcha } from "./captcha.ts";

export interface CaptchaAnswer {
  readonly captcha: string;
  readonly captcha_key: string;
}

/** Requests a captcha; a new `key` requests a new one, as each is valid for one attempt. */
export default function CaptchaQuestion(props: {
  readonly error: string | undefined;
  readonly onAnswer: (answer: CaptchaAnswer) => void;
}) {
  const [captcha, setCaptcha] = useState<Captcha | "failed" | null>(null);
  const [text, setText] = useState("");
  const renew = () => {
    setCaptcha(null);
    askCaptcha().then(setCaptcha, () => setCaptcha("failed"));
  };
  useEffect(renew, []);
  const answer = (value: string) => {
    setText(value);
    if (captcha !== null && captcha !== "failed")
      props.onAnswer({ captcha: value, captcha_key: captcha.key });
  };
  return <CaptchaPanel captcha={captcha} value={text} error={props.error} onValue={answer} onRenew={renew} />;
}
