// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ERC20Votes} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Votes.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC721Enumerable, ERC721} from "@openzeppelin/contracts/token/ERC721/extensions/ERC721Enumerable.sol";
import {ERC1155Supply, ERC1155} from "@openzeppelin/contracts/token/ERC1155/extensions/ERC1155Supply.sol";
import {Governor} from "@openzeppelin/contracts/governance/Governor.sol";
import {GovernorCountingSimple} from "@openzeppelin/contracts/governance/extensions/GovernorCountingSimple.sol";
import {GovernorVotes} from "@openzeppelin/contracts/governance/extensions/GovernorVotes.sol";
import {GovernorVotesQuorumFraction} from
    "@openzeppelin/contracts/governance/extensions/GovernorVotesQuorumFraction.sol";
import {GovernorTimelockControl} from "@openzeppelin/contracts/governance/extensions/GovernorTimelockControl.sol";
import {TimelockController} from "@openzeppelin/contracts/governance/TimelockController.sol";
import {IVotes} from "@openzeppelin/contracts/governance/utils/IVotes.sol";
import {Nonces} from "@openzeppelin/contracts/utils/Nonces.sol";
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {Create2} from "@openzeppelin/contracts/utils/Create2.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {TransparentUpgradeableProxy} from "@openzeppelin/contracts/proxy/transparent/TransparentUpgradeableProxy.sol";
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";

contract VoteToken is ERC20, ERC20Permit, ERC20Votes {
    constructor() ERC20("Vote", "VOTE") ERC20Permit("Vote") {
        _mint(msg.sender, 1_000_000 ether);
    }

    function _update(address from, address to, uint256 value) internal override(ERC20, ERC20Votes) {
        super._update(from, to, value);
    }

    function nonces(address owner) public view override(ERC20Permit, Nonces) returns (uint256) {
        return super.nonces(owner);
    }
}

contract Collectible is ERC721Enumerable {
    constructor() ERC721("Item", "ITEM") {}

    function mint(address to, uint256 id) external {
        _safeMint(to, id);
    }
}

contract Items is ERC1155Supply {
    constructor() ERC1155("ipfs://{id}") {}

    function mint(address to, uint256[] calldata ids, uint256[] calldata amounts) external {
        _mintBatch(to, ids, amounts, "");
    }
}

contract Dao is
    Governor,
    GovernorCountingSimple,
    GovernorVotes,
    GovernorVotesQuorumFraction,
    GovernorTimelockControl
{
    constructor(IVotes token, TimelockController timelock)
        Governor("Dao")
        GovernorVotes(token)
        GovernorVotesQuorumFraction(4)
        GovernorTimelockControl(timelock)
    {}

    function votingDelay() public pure override returns (uint256) {
        return 1;
    }

    function votingPeriod() public pure override returns (uint256) {
        return 5;
    }

    function state(uint256 id) public view override(Governor, GovernorTimelockControl) returns (ProposalState) {
        return super.state(id);
    }

    function proposalNeedsQueuing(uint256 id) public view override(Governor, GovernorTimelockControl) returns (bool) {
        return super.proposalNeedsQueuing(id);
    }

    function _queueOperations(uint256 id, address[] memory to, uint256[] memory values, bytes[] memory data, bytes32 hash)
        internal
        override(Governor, GovernorTimelockControl)
        returns (uint48)
    {
        return super._queueOperations(id, to, values, data, hash);
    }

    function _executeOperations(uint256 id, address[] memory to, uint256[] memory values, bytes[] memory data, bytes32 hash)
        internal
        override(Governor, GovernorTimelockControl)
    {
        super._executeOperations(id, to, values, data, hash);
    }

    function _cancel(address[] memory to, uint256[] memory values, bytes[] memory data, bytes32 hash)
        internal
        override(Governor, GovernorTimelockControl)
        returns (uint256)
    {
        return super._cancel(to, values, data, hash);
    }

    function _executor() internal view override(Governor, GovernorTimelockControl) returns (address) {
        return super._executor();
    }
}

contract Timelock is TimelockController {
    constructor(address[] memory none) TimelockController(10, none, none, msg.sender) {}
}

contract Box is Initializable, UUPSUpgradeable {
    uint256 public value;

    function initialize(uint256 start) external initializer {
        value = start;
    }

    function set(uint256 to) external {
        value = to;
    }

    function version() external pure virtual returns (uint256) {
        return 1;
    }

    function _authorizeUpgrade(address) internal override {}
}

contract BoxTwo is Box {
    function version() external pure override returns (uint256) {
        return 2;
    }
}

contract Factory {
    event Made(address at);

    function clone(address implementation, bytes32 salt) external {
        emit Made(Clones.clone(implementation));
        emit Made(Clones.cloneDeterministic(implementation, salt));
    }

    function create2(bytes calldata code, bytes32 salt) external {
        emit Made(Create2.deploy(0, salt, code));
    }
}

contract Proxy1967 is ERC1967Proxy {
    constructor(address to, bytes memory data) ERC1967Proxy(to, data) {}
}

contract Transparent is TransparentUpgradeableProxy {
    constructor(address to, address owner, bytes memory data) TransparentUpgradeableProxy(to, owner, data) {}
}
