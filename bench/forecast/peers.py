"""Forecasts series by models of statsforecast. Reads {"sets": [...]} from a file and prints one JSON line for each set and model."""

import json
import sys
import time
import warnings

import numpy as np
from statsforecast.models import (
    IMAPA,
    MSTL,
    TSB,
    AutoARIMA,
    AutoCES,
    AutoETS,
    AutoTheta,
    CrostonOptimized,
    CrostonSBA,
)
from statsforecast.utils import ConformalIntervals

warnings.filterwarnings("ignore")

# The longest seasons that are modelled within a second for each series.
MAX_ETS_PERIOD = 12
MAX_CES_PERIOD = 24
MAX_THETA_LENGTH = 1_000
# AutoARIMA takes up to two seconds for each series. It is a model for the periods where an earlier table has it as the
# best model or close to it, and for none else.
ARIMA_PERIODS = {1, 12}
# Slow models forecast every n-th series of a set.
EVERY = {("monthly", "AutoARIMA"): 4, ("daily", "AutoETS"): 3, ("daily", "AutoCES"): 3}


def models_of(data):
    """Returns the models by name."""
    period, length = data["period"], max(len(each["train"]) for each in data["series"])
    if data["name"] == "intermittent":
        conformal = {"prediction_intervals": ConformalIntervals(h=data["horizon"], n_windows=2)}
        return {
            "CrostonOptimized": CrostonOptimized(**conformal),
            "CrostonSBA": CrostonSBA(**conformal),
            "TSB": TSB(alpha_d=0.1, alpha_p=0.1, **conformal),
            "IMAPA": IMAPA(**conformal),
            "AutoETS": AutoETS(season_length=1),
        }
    models = {}
    if period <= MAX_ETS_PERIOD:
        models["AutoETS"] = AutoETS(season_length=period)
    if 1 < period <= MAX_CES_PERIOD:
        models["AutoCES"] = AutoCES(season_length=period)
    if length <= MAX_THETA_LENGTH:
        models["AutoTheta"] = AutoTheta(season_length=period)
    if period in ARIMA_PERIODS:
        models["AutoARIMA"] = AutoARIMA(season_length=period)
    if len(data["periods"]) > 1 or period > MAX_CES_PERIOD:
        periods = [each for each in data["periods"] if 2 * each < length]
        models["MSTL"] = MSTL(season_length=periods, trend_forecaster=AutoETS(model="ZZN"))
    return models


def forecast(model, series, horizon, level):
    """Returns value, lower and upper bound; the mean of the last values where the model fails, which is counted."""
    try:
        result = model.forecast(y=np.array(series, dtype=float), h=horizon, level=[level])
        steps = [result["mean"], result[f"lo-{level}"], result[f"hi-{level}"]]
        if all(np.isfinite(each).all() for each in steps):
            return [list(map(float, each)) for each in steps], False
    except Exception:  # A library may refuse a series in any way; the count is reported.
        pass
    last = float(series[-1])
    return [[last] * horizon] * 3, True


def main():
    level = 95
    with open(sys.argv[1], encoding="utf-8") as file:
        request = json.load(file)
    for data in request["sets"]:
        for name, model in models_of(data).items():
            if [data["name"], name] in request["ready"]:
                continue
            every = EVERY.get((data["name"], name), 1)
            # The first call compiles the model.
            forecast(model, data["series"][0]["train"], data["horizon"], level)
            started = time.process_time()
            results = [forecast(model, each["train"], data["horizon"], level) for each in data["series"][::every]]
            line = {
                "set": data["name"],
                "model": name,
                "every": every,
                "milliseconds": 1000 * (time.process_time() - started) / len(results),
                "failed": sum(failed for _, failed in results),
                "forecasts": [steps for steps, _ in results],
            }
            print(json.dumps(line), flush=True)


main()
