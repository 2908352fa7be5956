import { describe, expect, it } from "vitest";
import { deviceOf } from "./device.ts";

const agents = {
  "Edge, Windows":
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0",
  "Yandex Browser, Windows":
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 YaBrowser/25.8.0.0 Safari/537.36",
  "Chrome, Linux":
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
  "Safari, macOS":
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
  "Safari, iPhone":
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
  "Chrome, Android":
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36",
  "Firefox, Windows": "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:141.0) Gecko/20100101 Firefox/141.0",
};

describe("SESS-043 a session is described", () => {
  it.each(Object.entries(agents))("%s", (words, agent) => {
    const { program, system, isPhone } = deviceOf(agent);

    expect(`${String(program)}, ${String(system)}`).toBe(words);
    expect(isPhone).toBe(/iPhone|Android/.test(words));
  });

  it("an unknown agent has no description", () => {
    expect(deviceOf(null)).toEqual({ program: null, system: null, isPhone: false });
    expect(deviceOf("curl/8.5.0")).toEqual({ program: "curl", system: null, isPhone: false });
    expect(deviceOf("node")).toMatchObject({ program: null });
  });
});
