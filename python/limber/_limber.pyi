# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""The compiled part: handles whose types the package states where people see them."""

from typing import Any

version: str

def __getattr__(name: str) -> Any: ...
