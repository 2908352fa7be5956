import type { Command } from "./commandArguments.ts";
import { text } from "./commandText.ts";

const actuator = { changesDevice: true, actuates: true, isRepeatable: false, isBeside: true } as const;
const state = {
  changesDevice: false,
  actuates: false,
  answers: "state",
  arguments: { value: "any" },
} as const;

/** Relays, valves, limits, outputs, locks and seals. */
export const switchingCommands = [
  {
    ...state,
    key: "relay_state",
    title: text("Состояние реле", "Relay state", "Релений төлөв"),
  },
  {
    ...actuator,
    key: "power",
    title: text("Нагрузка", "Load", "Ачаалал"),
    confirmation: text("Переключить нагрузку?", "Switch the load?", "Ачааллыг залгах уу?"),
    readBack: "relay_state",
    arguments: [
      {
        key: "power",
        title: text("Состояние", "State", "Төлөв"),
        kind: "choice",
        choices: [
          {
            value: 1,
            title: text("Включить", "Switch on", "Залгах"),
            consequence: text(
              "На установку потребителя будет подано напряжение",
              "The installation of the consumer will be energised",
              "Хэрэглэгчийн суурилуулалтад хүчдэл өгнө",
            ),
          },
          {
            value: 0,
            title: text("Отключить", "Switch off", "Салгах"),
            consequence: text(
              "Потребитель останется без электроэнергии, пока нагрузку не включат снова",
              "The consumer will have no electricity until the load is switched on again",
              "Ачааллыг дахин залгах хүртэл хэрэглэгч цахилгаангүй байна",
            ),
            switchesOff: true,
          },
        ],
        isRequired: true,
      },
    ],
  },
  {
    ...actuator,
    key: "valve",
    title: text("Клапан", "Valve", "Хаалт"),
    confirmation: text("Переключить клапан?", "Move the valve?", "Хаалтыг хөдөлгөх үү?"),
    readBack: "relay_state",
    arguments: [
      {
        key: "valve",
        title: text("Состояние", "State", "Төлөв"),
        kind: "choice",
        choices: [
          {
            value: 1,
            title: text("Открыть", "Open", "Нээх"),
            consequence: text(
              "Подача потребителю будет открыта: краны и приборы должны быть под присмотром",
              "The supply of the consumer will be opened: taps and appliances must be attended",
              "Хэрэглэгчийн нийлүүлэлтийг нээнэ: цорго, хэрэгслийг хараа хяналттай байлгана",
            ),
          },
          {
            value: 0,
            title: text("Закрыть", "Close", "Хаах"),
            consequence: text(
              "Подача потребителю прекратится, пока клапан не откроют снова",
              "The supply of the consumer will stop until the valve is opened again",
              "Хаалтыг дахин нээх хүртэл хэрэглэгчийн нийлүүлэлт зогсоно",
            ),
            switchesOff: true,
          },
        ],
        isRequired: true,
      },
    ],
  },
  {
    ...actuator,
    key: "limit",
    title: text("Лимит мощности", "Power limit", "Чадлын хязгаар"),
    confirmation: text(
      "Установить лимит мощности? При его превышении счётчик отключит потребителя",
      "Set the power limit? The meter will switch the consumer off above it",
      "Чадлын хязгаар тогтоох уу? Хэтэрвэл тоолуур хэрэглэгчийг салгана",
    ),
    readBack: "limit_state",
    arguments: [
      {
        key: "limit",
        title: text("Лимит", "Limit", "Хязгаар"),
        kind: "number",
        unit: "kW",
        minimum: 0,
        maximum: 100_000,
        step: 0.001,
        isRequired: true,
      },
      {
        key: "limit_mode",
        title: text("Режим измерения", "Measurement mode", "Хэмжилтийн горим"),
        kind: "choice",
        choices: [
          {
            value: 0,
            title: text("Средняя за интервал", "Average of an interval", "Завсрын дундаж"),
          },
          { value: 1, title: text("Мгновенная", "Instantaneous", "Агшны") },
        ],
        isRequired: false,
      },
      {
        key: "apv_pause",
        title: text("Пауза АПВ", "Auto-reclose pause", "Автомат дахин залгах завсар"),
        kind: "number",
        unit: "minute",
        minimum: 0,
        maximum: 60,
        step: 1,
        isRequired: false,
        dependsOn: { key: "limit_mode", values: [0, 1] },
      },
      {
        key: "apv_timer",
        title: text("Таймер АПВ", "Auto-reclose timer", "Автомат дахин залгах таймер"),
        kind: "number",
        unit: "none",
        minimum: 0,
        maximum: 9,
        step: 1,
        isRequired: false,
        dependsOn: { key: "limit_mode", values: [0, 1] },
      },
      {
        key: "apv_count",
        title: text("Число АПВ", "Auto-reclose count", "Автомат дахин залгах тоо"),
        kind: "number",
        unit: "none",
        minimum: 0,
        maximum: 9,
        step: 1,
        isRequired: false,
        dependsOn: { key: "limit_mode", values: [0, 1] },
      },
    ],
  },
  {
    ...state,
    key: "limit_state",
    title: text("Прочитать лимит мощности", "Read the power limit", "Чадлын хязгаар унших"),
  },
  {
    ...actuator,
    key: "setout",
    title: text("Управление выходом", "Output control", "Гаралтын удирдлага"),
    confirmation: text(
      "Переключить выход? Подключённое к нему оборудование будет включено или отключено",
      "Switch the output? The equipment connected to it will be switched on or off",
      "Гаралтыг залгах уу? Холбогдсон төхөөрөмж асах эсвэл унтарна",
    ),
    arguments: [
      {
        key: "setout",
        title: text("Состояние выхода", "State of the output", "Гаралтын төлөв"),
        kind: "choice",
        choices: [
          { value: 1, title: text("Включить", "Switch on", "Залгах") },
          { value: 0, title: text("Отключить", "Switch off", "Салгах"), switchesOff: true },
        ],
        isRequired: true,
      },
      {
        key: "out",
        title: text("Выход", "Output", "Гаралт"),
        kind: "number",
        unit: "none",
        minimum: 0,
        maximum: 255,
        step: 1,
        isRequired: true,
      },
      {
        key: "duration",
        title: text("Длительность", "Duration", "Үргэлжлэх хугацаа"),
        kind: "number",
        unit: "second",
        minimum: 0,
        maximum: 255,
        step: 1,
        isRequired: false,
      },
    ],
  },
  {
    ...actuator,
    key: "unblock",
    title: text("Разблокировать", "Unblock", "Түгжээ тайлах"),
    confirmation: text(
      "Разблокировать прибор? После этого нагрузка может включиться",
      "Unblock the device? The load may be switched on after it",
      "Төхөөрөмжийн түгжээг тайлах уу? Дараа нь ачаалал залгагдаж болно",
    ),
    readBack: "relay_state",
    arguments: { value: "any" },
  },
  {
    ...actuator,
    actuates: false,
    key: "set_plomb",
    title: text("Электронная пломба", "Electronic seal", "Цахим лац"),
    confirmation: text(
      "Установить электронную пломбу? Отметки о вскрытии будут сброшены",
      "Set the electronic seal? Its record of openings will be cleared",
      "Цахим лац тавих уу? Нээлтийн тэмдэглэл арилна",
    ),
    arguments: { value: "any" },
  },
] as const satisfies readonly Command[];
