"""Compiled searches that know no game; `s`, `w`, `m` and the contract are defined in daedalus.core.contract."""
