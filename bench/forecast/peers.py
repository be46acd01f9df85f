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

# Beyond these, the search for an order takes minutes for each series.
MAX_ARIMA_LENGTH = 400
MAX_ARIMA_PERIOD = 12
# The longest season that AutoETS, AutoTheta and AutoCES model in seconds.
MAX_PERIOD = 24


def models_of(data):
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
    if period <= MAX_PERIOD:
        models["AutoETS"] = AutoETS(season_length=period)
        models["AutoCES"] = AutoCES(season_length=period)
    models["AutoTheta"] = AutoTheta(season_length=period)
    if period <= MAX_ARIMA_PERIOD and length <= MAX_ARIMA_LENGTH:
        models["AutoARIMA"] = AutoARIMA(season_length=period)
    if len(data["periods"]) > 1 or period > MAX_PERIOD:
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
        sets = json.load(file)["sets"]
    for data in sets:
        for name, model in models_of(data).items():
            # The first call compiles the model.
            forecast(model, data["series"][0]["train"], data["horizon"], level)
            started = time.process_time()
            results = [forecast(model, each["train"], data["horizon"], level) for each in data["series"]]
            line = {
                "set": data["name"],
                "model": name,
                "milliseconds": 1000 * (time.process_time() - started) / len(results),
                "failed": sum(failed for _, failed in results),
                "forecasts": [steps for steps, _ in results],
            }
            print(json.dumps(line), flush=True)


main()
