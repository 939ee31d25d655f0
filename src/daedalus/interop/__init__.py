"""These games in other people's tools: many games at once as arrays, PettingZoo, Gymnasium, OpenSpiel."""
